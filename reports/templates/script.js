"use strict";

// Without this script everything can be read; with it claims can be filtered and commands copied.
for (const form of document.querySelectorAll("form.filter")) {
  const bodies = [...document.getElementById(form.dataset.for).tBodies];
  const details = bodies.map((body) => body.querySelector("details"));
  const { text, standing, toggle } = form.elements;
  const contents = bodies.map((body) => body.textContent.toLowerCase());
  const apply = () => {
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    bodies.forEach((body, index) => {
      const found = words.every((word) => contents[index].includes(word));
      body.hidden = !found || (standing.value !== "" && body.dataset.standing !== standing.value);
    });
    const shown = bodies.filter((body) => !body.hidden).length;
    form.querySelector("output").value = `${shown} of ${bodies.length} claims`;
  };
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  toggle.addEventListener("click", () => {
    const open = toggle.textContent === "Open all";
    for (const item of details) item.open = open;
    toggle.textContent = open ? "Close all" : "Open all";
  });
  form.hidden = false;
  apply();
}

for (const block of document.querySelectorAll(".copyable")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(block.querySelector("code").textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(block.querySelector("code"));
      button.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
  block.append(button);
}

// A link to a claim opens it; paper has nothing to open.
const reveal = () => {
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target && target.tagName === "TBODY") target.querySelector("details").open = true;
};
addEventListener("hashchange", reveal);
reveal();
let closed = [];
addEventListener("beforeprint", () => {
  closed = [...document.querySelectorAll("details:not([open])")];
  for (const item of closed) item.open = true;
});
addEventListener("afterprint", () => { for (const item of closed) item.open = false; });
