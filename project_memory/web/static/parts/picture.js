/** Draw memories and links on a canvas, in the colours of the page. */

const MARGIN = 24;

/**
 * Draw the memories around one.
 *
 * @param {HTMLElement} place
 * @param {string} id - What is in the middle.
 * @param {object[]} nodes - As the server tells of them, with their distance.
 * @param {object[]} edges
 * @param {(id: string) => void} chosen - Called with the memory that was pressed.
 * @param {AbortSignal} signal - Ends it.
 */
export async function draw(place, id, nodes, edges, chosen, signal) {
  const { default: cytoscape } = await import("../vendor/cytoscape/cytoscape.esm.min.mjs");
  // it measures its place, which is in the page only after this turn
  requestAnimationFrame(() => {
    if (signal.aborted || !place.isConnected) return;
    const picture = cytoscape({
      container: place, elements: elements(nodes, edges), style: style(), autoungrabify: true,
      userZoomingEnabled: false, maxZoom: 1.15, boxSelectionEnabled: false, autounselectify: true,
      layout: {
        name: "concentric", fit: true, padding: MARGIN, animate: false, minNodeSpacing: 125, avoidOverlap: true,
        concentric: (node) => -node.data("distance"), levelWidth: () => 1, startAngle: 0,
      },
    });
    picture.on("tap", "node", (event) => event.target.id() !== id && chosen(event.target.id()));
    const restyle = () => picture.style(style());
    document.addEventListener("themechange", restyle);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", restyle);
    signal.addEventListener("abort", () => {
      document.removeEventListener("themechange", restyle);
      picture.destroy();
    });
  });
}

function elements(nodes, edges) {
  return [
    ...nodes.map(({ id, distance, status }) => ({ data: { id, distance, status, name: id.replaceAll("-", "-\u200b") } })),
    ...edges.map(({ from_id: source, to_id: target, kind }) => ({ data: { id: `${source} ${kind} ${target}`, source, target, kind: kind.replaceAll("_", " ") } })),
  ];
}

function style() {
  const colours = getComputedStyle(document.documentElement);
  const colour = (name) => colours.getPropertyValue(`--${name}`).trim();
  return [
    { selector: "node", style: {
      label: "data(name)", width: 16, height: 16, "background-color": colour("quiet"), color: colour("ink"), "font-size": 11,
      "font-family": "system-ui, sans-serif", "text-valign": "bottom", "text-margin-y": 5, "text-wrap": "wrap", "text-max-width": 120,
      "text-overflow-wrap": "whitespace", "text-background-color": colour("paper"), "text-background-opacity": 0.9, "text-background-padding": 2 } },
    { selector: "node[distance = 0]", style: { width: 26, height: 26, "background-color": colour("accent"), "font-weight": 600 } },
    { selector: "node[status = 'stale'], node[status = 'superseded']", style: { "background-color": colour("stale"), shape: "diamond" } },
    { selector: "node[status = 'wrong']", style: { "background-color": colour("wrong"), shape: "triangle" } },
    { selector: "edge", style: {
      label: "data(kind)", width: 1.2, "line-color": colour("line-strong"), "target-arrow-color": colour("line-strong"), "target-arrow-shape": "triangle",
      "curve-style": "bezier", "font-size": 10, color: colour("quiet"), "text-rotation": "autorotate", "text-background-color": colour("paper"),
      "text-background-opacity": 1, "text-background-padding": 1 } },
    { selector: "edge[kind = 'related'], edge[kind = 'contradicts']", style: { "target-arrow-shape": "none" } },
  ];
}
