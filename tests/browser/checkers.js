"use strict";

const say = (element, text) => {
  const around = element.closest("[id], figure, table, section");
  return `${element.tagName.toLowerCase()} in ${around?.id || around?.tagName.toLowerCase()}: ${text.trim().slice(0, 60)}`;
};

// Text beyond the edge of what cuts it off, or of the window, with nothing that scrolls to it.
const cutTexts = () => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode()); ) {
    const parent = node.parentElement;
    if (!node.data.trim() || parent.closest("script, style, title, desc, option, .hidden, .skip")) continue;
    if (!parent.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    let scrolls = false;
    for (let around = parent; around && around !== document.documentElement; around = around.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(around);
      const drawing = around.tagName.toLowerCase() === "svg";
      if (/auto|scroll/.test(overflowX) && !drawing) { scrolls = true; break; }
      const edge = around.getBoundingClientRect();
      const inside = box.left >= edge.left - 1 && box.right <= edge.right + 1 && box.top >= edge.top - 1 && box.bottom <= edge.bottom + 1;
      if ((drawing || /hidden|clip/.test(overflowX + overflowY)) && !inside) found.push(say(parent, node.data));
    }
    if (!scrolls && (box.left < -1 || box.right > document.documentElement.clientWidth + 1)) found.push(say(parent, node.data));
  }
  return [...new Set(found)];
};

// What can be used with a pointer, numbered in the order of the page; null for what is not there to be used now.
const interactive = () => [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']")].map((element, index) => {
  element.dataset.reached = index;
  const there = element.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true });
  return element.matches(".skip") || (there && element.getBoundingClientRect().width > 0) ? say(element, element.textContent) : null;
});

// The number of what has the focus, and whether it shows that.
const focused = () => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const style = getComputedStyle(element);
  return [Number(element.dataset.reached), (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== "none"];
};
