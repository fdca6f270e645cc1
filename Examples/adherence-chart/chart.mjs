// SPDX-License-Identifier: Apache-2.0

// The chart as SVG and the same numbers as a table. Text is only ever set as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

function svg(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

function html(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

function dayText(date, options) {
  return date.toLocaleDateString(document.documentElement.lang, options);
}

/** Returns the chart: for each day the planned doses as an outline and the taken ones as a bar. */
export function chart(result, sentence) {
  const [width, height, left, bottom, top] = [720, 240, 28, 24, 8];
  const most = Math.max(1, ...result.days.map((day) => Math.max(day.planned, day.taken)));
  const step = (width - left) / result.days.length;
  const scale = (height - bottom - top) / most;
  const floor = height - bottom;
  const bars = result.days.flatMap((day, index) => {
    const [x, size] = [left + index * step + step * 0.15, step * 0.7];
    const shapes = [];
    if (day.planned > 0) {
      shapes.push(svg("rect", {
        class: "planned", x, width: size, y: floor - day.planned * scale, height: day.planned * scale,
      }));
    }
    if (day.taken > 0) {
      shapes.push(svg("rect", {
        class: "taken", x, width: size, y: floor - day.taken * scale, height: day.taken * scale,
      }));
    }
    if (index % 7 === 0) {
      shapes.push(svg(
        "text", { x: x + size / 2, y: height - 6, "text-anchor": "middle" },
        dayText(day.date, { day: "numeric", month: "short" })));
    }
    return shapes;
  });
  return svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-labelledby": "chart-title chart-description" },
    svg("title", { id: "chart-title" }, "Doses by day"),
    svg("desc", { id: "chart-description" }, `${sentence} The table below has the numbers.`),
    svg("line", { class: "axis", x1: left, x2: width, y1: floor, y2: floor }),
    svg("text", { x: left - 6, y: top + 8, "text-anchor": "end" }, String(most)),
    svg("text", { x: left - 6, y: floor, "text-anchor": "end" }, "0"),
    ...bars);
}

/** Returns the numbers as a table, the newest day first. */
export function table(result) {
  const head = ["Day", "Planned", "Taken", "Skipped"].map((name) => html("th", { scope: "col" }, name));
  const rows = result.days.toReversed().map((day) => html(
    "tr", {},
    html("th", { scope: "row" }, dayText(day.date, { weekday: "short", day: "numeric", month: "short" })),
    ...[day.planned, day.taken, day.skipped].map((number) => html("td", {}, String(number)))));
  return html(
    "table", {}, html("caption", {}, "Doses by day, newest first"),
    html("thead", {}, html("tr", {}, ...head)), html("tbody", {}, ...rows));
}
