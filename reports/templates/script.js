"use strict";

// Without this script everything can be read; with it claims and errata can be filtered and sorted, commands copied.
for (const form of document.querySelectorAll("form.filter")) {
  const place = document.getElementById(form.dataset.for);
  const items = [...place.querySelectorAll("[data-item]")];
  const groups = [...place.querySelectorAll("[data-group]")];
  const { text, toggle, sort } = form.elements;
  const selects = [...form.querySelectorAll("select")].filter((select) => select !== sort);
  let contents;
  const apply = () => {
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    // A megabyte of text, which is read when it is first searched.
    if (words.length) contents ??= items.map((item) => item.textContent.toLowerCase());
    let shown = 0;
    items.forEach((item, index) => {
      const found = words.every((word) => contents[index].includes(word));
      item.hidden = !found || selects.some(({ name, value }) => value !== "" && item.dataset[name] !== value);
      if (!item.hidden) shown += 1;
    });
    for (const group of groups) {
      group.hidden = !group.querySelector("[data-item]:not([hidden])");
      if (shown < items.length) group.open = true;
    }
    form.querySelector("output").value = `${shown} of ${items.length} ${form.dataset.noun}`;
  };
  form.addEventListener("input", apply);
  sort?.addEventListener("change", () => {
    const order = sort.value ? [...items].sort((one, other) => other.dataset.sort - one.dataset.sort) : items;
    place.append(...order);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  toggle.addEventListener("click", () => {
    const open = toggle.textContent === "Open all";
    for (const item of [...groups, ...items.map((each) => each.querySelector("details"))]) item.open = open;
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

// A link to a claim or an erratum shows and opens it.
const reveal = () => {
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target || !("item" in target.dataset)) return;
  if (target.hidden) {
    const form = document.querySelector(`form.filter[data-for="${target.closest("[id]:not([data-item])").id}"]`);
    form.reset();
    form.dispatchEvent(new Event("input"));
    form.elements.sort?.dispatchEvent(new Event("change"));
    target.scrollIntoView();
  }
  target.querySelector("details").open = true;
  const group = target.closest("[data-group]");
  if (group && !group.open) {
    group.open = true;
    target.scrollIntoView();
  }
};
addEventListener("hashchange", reveal);
reveal();
