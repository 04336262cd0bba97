"use strict";

// Text for screen readers only, and the link that comes into view when it has the focus, are not shown.
const shown = (element) => {
  if (!element.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true })) return false;
  const apart = element.closest(".hidden, .skip, thead");
  return !apart || getComputedStyle(apart).position !== "absolute";
};

const say = (element, text) => {
  const around = element.closest("[id], figure, table, section");
  const place = around?.id || around?.tagName.toLowerCase();
  return `${element.tagName.toLowerCase()} in ${place}: ${text.trim().slice(0, 60)}`;
};

const within = (box, edge) =>
  box.left >= edge.left - 1 && box.right <= edge.right + 1 && box.top >= edge.top - 1 && box.bottom <= edge.bottom + 1;

// Text beyond the edge of what cuts it off, or of the window, with nothing that scrolls to it.
const cutTexts = () => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode()); ) {
    const parent = node.parentElement;
    if (!node.data.trim() || parent.closest("script, style, title, desc, option") || !shown(parent)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    let scrolls = false;
    for (let around = parent; around && around !== document.documentElement; around = around.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(around);
      const drawing = around.tagName.toLowerCase() === "svg";
      if (/auto|scroll/.test(overflowX) && !drawing) { scrolls = true; break; }
      const cuts = drawing || /hidden|clip/.test(overflowX + overflowY);
      if (cuts && !within(box, around.getBoundingClientRect())) found.push(say(parent, node.data));
    }
    const width = document.documentElement.clientWidth;
    if (!scrolls && (box.left < -1 || box.right > width + 1)) found.push(say(parent, node.data));
  }
  for (const element of document.querySelectorAll("button, select, input, th, td, summary, a, h1, h2, h3, h4")) {
    const block = shown(element) && getComputedStyle(element).display !== "inline";
    if (block && element.scrollWidth > element.clientWidth + 1 && !element.querySelector(".scroll, pre"))
      found.push(say(element, element.textContent || element.value));
  }
  return [...new Set(found)];
};

const overlappingTexts = () => {
  const found = [];
  const apart = (one, other) => one.right <= other.left + 1 || other.right <= one.left + 1
    || one.bottom <= other.top + 4 || other.bottom <= one.top + 4;
  for (const drawing of document.querySelectorAll("svg")) {
    const texts = [...drawing.querySelectorAll("text")].filter((text) => text.textContent.trim() && shown(text));
    const boxes = texts.map((text) => text.getBoundingClientRect());
    boxes.forEach((one, index) => boxes.slice(0, index).forEach((other, before) => {
      if (!apart(one, other)) found.push(say(drawing, `${texts[before].textContent} / ${texts[index].textContent}`));
    }));
  }
  return found;
};

// What can be used, numbered in the order of the page; null for what is not there to be used now.
const interactive = () => {
  const all = [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0'], [onclick]")];
  return all.map((element, index) => {
    element.dataset.reached = index;
    const there = element.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true });
    const usable = element.matches(".skip") || (there && element.getBoundingClientRect().width > 0);
    return usable ? say(element, element.textContent || element.name || "") : null;
  });
};

// The number of what has the focus, and whether it shows that.
const focused = () => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const style = getComputedStyle(element);
  const outlined = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
  return [Number(element.dataset.reached), outlined || style.boxShadow !== "none"];
};
