// A detector of patterns in JavaScript: node detector.js
// Reads cases, a line of JSON each, and answers each by a line (docs/howto/judge-a-program.md).
const tokens = (text) => text.match(/"(?:\\.|[^"\\])*"|\w+|[^\s\w]/g) ?? [];

function parse(text) {
  const found = tokens(text);
  let place = 0;
  const take = (token) => found[place] === token && ++place;
  function operand() {
    let part;
    if (take("(")) {
      part = chain();
      if (!take(")")) throw new Error(`) expected in ${text}`);
    } else {
      const name = found[place++];
      part = { event: name.startsWith('"') ? JSON.parse(name) : name };
    }
    while (take("[")) {
      part = { operator: "[t]", operands: [part], bound: Number(found[place++]) };
      if (!take("]")) throw new Error(`] expected in ${text}`);
    }
    return part;
  }
  function chain() {
    let part = operand();
    while ("|+-;".includes(found[place] ?? ")")) {
      const operator = found[place++];
      part = { operator, operands: [part, operand()] };
    }
    return part;
  }
  const pattern = chain();
  if (place < found.length) throw new Error(`${found[place]} not expected in ${text}`);
  return pattern;
}

// Each part keeps its latest start at each end so far; -1 stands for none.
const NONE = -1;

function latest(part, before) { // the latest start of those that end before a time
  return part.ends.reduce((found, [end, start]) => (end < before ? Math.max(found, start) : found), NONE);
}

function step(part, time, events) {
  part.ends ??= [];
  const starts = (part.operands ?? []).map((operand) => step(operand, time, events));
  const [left, right] = starts;
  let start = NONE;
  switch (part.operator) {
    case undefined: start = events.has(part.event) ? time : NONE; break;
    case "|": start = Math.max(left, right); break;
    case "+": {
      const [a, b] = part.operands.map((operand) => latest(operand, time + 1));
      start = Math.max(Math.min(left, b), Math.min(a, right));
      break;
    }
    case "-": start = left > latest(part.operands[1], time + 1) ? left : NONE; break;
    case ";": start = right >= 0 ? latest(part.operands[0], right) : NONE; break;
    case "[t]": start = left >= 0 && time - left <= part.bound ? left : NONE; break;
  }
  if (start >= 0) part.ends.push([time, start]);
  return start;
}

function detections({ pattern, events }) {
  const part = parse(pattern), at = new Map(), found = [];
  for (const [time, event] of events) at.set(time, (at.get(time) ?? new Set()).add(event));
  for (const [end, types] of at) {
    const start = step(part, end, types);
    if (start >= 0) found.push({ start, end });
  }
  return found;
}

require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const given = JSON.parse(line);
  let answer;
  try {
    answer = { detections: detections(given) };
  } catch (error) {
    answer = { error: String(error) };
  }
  console.log(JSON.stringify({ case: given.case, ...answer }));
});
