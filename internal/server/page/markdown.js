// Markdown of models as elements. Text of models is untrusted: it only ever becomes text
// nodes of a fixed set of elements, links to the web alone, and no images. No pattern takes more
// than linear time: one that tries again from each place could stop the page.

const tag = (name, ...children) => {
  const e = document.createElement(name);
  e.append(...children);
  return e;
};

// inline returns the nodes of one line or paragraph.
function inline(text, depth = 0) {
  const nodes = [];
  const pattern = /`([^`]+)`|\*\*(.+?)\*\*|__(.+?)__|\*([^\s*][^*]*)\*|(?<!\w)_([^\s_][^_]*)_(?!\w)|!?\[([^\[\]]*)\]\(([^()\s]*)(?:\s[^()]*)?\)|(https?:\/\/[^\s<>()"']+[^\s<>()"'.,;:!?])/g;
  let from = 0;
  const inner = (t) => (depth < 4 ? inline(t, depth + 1) : [t]);
  for (const m of text.matchAll(pattern)) {
    nodes.push(text.slice(from, m.index));
    from = m.index + m[0].length;
    if (m[1] !== undefined) nodes.push(tag("code", m[1]));
    else if (m[2] ?? m[3]) nodes.push(tag("strong", ...inner(m[2] ?? m[3])));
    else if (m[4] ?? m[5]) nodes.push(tag("em", ...inner(m[4] ?? m[5])));
    else nodes.push(link(m[7] ?? m[8], m[6] || m[7] || m[8]));
  }
  nodes.push(text.slice(from));
  return nodes;
}

// link returns a link if it leads to the web, and else its text.
function link(address, text) {
  let url;
  try {
    url = new URL(address);
  } catch {
    return document.createTextNode(text);
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") return document.createTextNode(text);
  const a = tag("a", text);
  a.href = url.href;
  a.rel = "noopener noreferrer nofollow";
  a.target = "_blank";
  return a;
}

// heading returns the text of a heading without the marks at its end.
function heading(text) {
  let end = text.length;
  while (text[end - 1] === "#") end--;
  return text.slice(0, end).trim();
}

const cells = (line) => line.trim().replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((c) => c.trim().replaceAll("\\|", "|"));
const rule = /^\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?$/; // of a line without space around it
const item = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;

// blocks appends the elements of some lines.
function blocks(parent, lines, depth) {
  for (let i = 0; i < lines.length; ) {
    const line = lines[i];
    let m;
    if (!line.trim()) {
      i++;
    } else if ((m = line.match(/^\s*(```+|~~~+)/))) {
      const code = [];
      for (i++; i < lines.length && !lines[i].trim().startsWith(m[1]); i++) code.push(lines[i]);
      i++;
      parent.append(tag("pre", tag("code", code.join("\n"))));
    } else if ((m = line.match(/^(#{1,6})\s+(.*)/))) {
      parent.append(tag("h" + Math.min(m[1].length, 4), ...inline(heading(m[2]))));
      i++;
    } else if (/^\s*([-*_])\s*(\1\s*){2,}$/.test(line)) {
      parent.append(tag("hr"));
      i++;
    } else if (/^\s*>/.test(line) && depth < 6) {
      const quoted = [];
      for (; i < lines.length && /^\s*>/.test(lines[i]); i++) quoted.push(lines[i].replace(/^\s*> ?/, ""));
      const quote = tag("blockquote");
      blocks(quote, quoted, depth + 1);
      parent.append(quote);
    } else if (line.includes("|") && i + 1 < lines.length && lines[i + 1].includes("-") && rule.test(lines[i + 1].trim())) {
      const table = tag("table", tag("tr", ...cells(line).map((c) => tag("th", ...inline(c)))));
      for (i += 2; i < lines.length && lines[i].includes("|"); i++) table.append(tag("tr", ...cells(lines[i]).map((c) => tag("td", ...inline(c)))));
      parent.append(table);
    } else if ((m = line.match(item)) && depth < 6) {
      i = list(parent, lines, i, m, depth);
    } else {
      const words = [line];
      for (i++; i < lines.length && lines[i].trim() && !/^\s*(```|~~~|#{1,6}\s|>)/.test(lines[i]) && !item.test(lines[i]); i++) words.push(lines[i]);
      parent.append(tag("p", ...inline(words.join("\n"))));
    }
  }
}

// list appends a list that begins at line i, and returns the line after it.
function list(parent, lines, i, first, depth) {
  const ordered = /\d/.test(first[2]);
  const element = tag(ordered ? "ol" : "ul");
  if (ordered) element.start = parseInt(first[2], 10);
  const indent = first[1].length;
  while (i < lines.length) {
    const m = lines[i].match(item);
    if (!m || m[1].length < indent || /\d/.test(m[2]) !== ordered) break;
    const inside = [m[3]];
    for (i++; i < lines.length; i++) {
      const next = lines[i].match(item);
      if (next && next[1].length <= indent) break;
      if (lines[i].trim() && !/^\s/.test(lines[i])) break;
      if (!lines[i].trim() && !/^\s+\S/.test(lines[i + 1] ?? "")) break;
      inside.push(lines[i].slice(Math.min(indent + 2, lines[i].length - lines[i].trimStart().length)));
    }
    while (i < lines.length && !lines[i].trim() && item.test(lines[i + 1] ?? "")) i++;
    const li = tag("li");
    if (inside.length === 1) li.append(...inline(inside[0]));
    else blocks(li, inside, depth + 1);
    element.append(li);
  }
  parent.append(element);
  return i;
}

// render shows Markdown in an element.
export function render(element, text) {
  const holder = document.createDocumentFragment();
  try {
    blocks(holder, text.slice(0, 400_000).split(/\r\n?|[\n\u2028\u2029]/), 0);
    element.replaceChildren(holder);
  } catch {
    element.textContent = text; // more pieces than the browser takes at once
  }
}
