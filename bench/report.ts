// Builds one page from the lines that benches print: curves of latency against offered load, and all figures as tables. The
// page embeds all its data, so that it can be sent by mail.

type Line = Readonly<Record<string, unknown>>;

const WIDTH = 560;
const HEIGHT = 300;
const MARGIN = { left: 56, right: 16, top: 16, bottom: 40 };
const SERIES = [
  { field: 'p50_ms', name: 'p50', colour: '#2f7d5b' },
  { field: 'p90_ms', name: 'p90', colour: '#b9892b' },
  { field: 'p99_ms', name: 'p99', colour: '#b4452f' },
  { field: 'p999_ms', name: 'p99.9', colour: '#6b4a8f' },
] as const;
/** Below this a curve's shape is the timer's. */
const MS_MIN = 0.1;

const escaped = (text: unknown): string => String(text).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const numberOf = (line: Line, field: string): number => Number(line[field] ?? 0);

/** Latency on a logarithmic scale over the offered load; the knee as a dashed line. */
const chart = (points: readonly Line[], knee: number): string => {
  const loads = points.map((line) => numberOf(line, 'offered_per_second'));
  const times = points.flatMap((line) => SERIES.map(({ field }) => Math.max(MS_MIN, numberOf(line, field))));
  const [loadMax, top, bottom] = [Math.max(...loads, 1), Math.max(...times, 1), Math.min(...times, 1)];
  const x = (load: number): number => MARGIN.left + (load / loadMax) * (WIDTH - MARGIN.left - MARGIN.right);
  const span = Math.log10(top / bottom) || 1;
  const y = (ms: number): number =>
    HEIGHT - MARGIN.bottom - (Math.log10(Math.max(bottom, ms) / bottom) / span) * (HEIGHT - MARGIN.top - MARGIN.bottom);
  const marks = [0.1, 1, 10, 100, 1_000, 10_000].filter((ms) => ms >= bottom && ms <= top);
  const grid = marks
    .map(
      (ms) =>
        `<line class="grid" x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${y(ms)}" y2="${y(ms)}"/>` +
        `<text x="${MARGIN.left - 6}" y="${y(ms) + 4}" text-anchor="end">${ms} ms</text>`,
    )
    .join('');
  const ticks = [0, 0.25, 0.5, 0.75, 1]
    .map((share) => Math.round(loadMax * share))
    // The last one would stand over the edge.
    .map((load, at, { length }) => [load, at === length - 1 ? 'end' : 'middle'] as const)
    .map(
      ([load, anchor]) =>
        `<text x="${x(load)}" y="${HEIGHT - MARGIN.bottom + 18}" text-anchor="${anchor}">${load}/s</text>`,
    )
    .join('');
  const curves = SERIES.map(({ field, name, colour }) => {
    const path = points
      .map((line, at) => `${at === 0 ? 'M' : 'L'}${x(loads[at]!).toFixed(1)} ${y(numberOf(line, field)).toFixed(1)}`)
      .join('');
    return `<path d="${path}" stroke="${colour}"><title>${name}</title></path>`;
  }).join('');
  const legend = SERIES.map(
    ({ name, colour }, at) =>
      `<circle cx="${MARGIN.left + 16 + at * 64}" cy="${HEIGHT - 8}" r="4" fill="${colour}"/>` +
      `<text x="${MARGIN.left + 26 + at * 64}" y="${HEIGHT - 4}">${name}</text>`,
  ).join('');
  const kneeLine =
    knee > 0
      ? `<line class="knee" x1="${x(knee)}" x2="${x(knee)}" y1="${MARGIN.top}" y2="${HEIGHT - MARGIN.bottom}"/>` +
        `<text x="${x(knee) - 4}" y="${MARGIN.top + 10}" text-anchor="end">knee ${knee}/s</text>`
      : '';
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="latency against offered load">${grid}${ticks}${kneeLine}${curves}${legend}</svg>`;
};

const table = (lines: readonly Line[]): string => {
  const columns = [...new Set(lines.flatMap((line) => Object.keys(line)))].filter((name) => name !== 'bench');
  const head = columns.map((name) => `<th>${escaped(name.replaceAll('_', ' '))}</th>`).join('');
  const rows = lines.map(
    (line) =>
      `<tr>${columns.map((name) => `<td class="${typeof line[name] === 'number' ? 'n' : ''}">${escaped(line[name] ?? '')}</td>`).join('')}</tr>`,
  );
  return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
};

/** A column a line, so that many figures of a few scenarios stand on one page. */
const transposed = (lines: readonly Line[]): Line[] =>
  [...new Set(lines.flatMap((line) => Object.keys(line)))]
    .filter((name) => !['bench', 'case', 'topology'].includes(name))
    .map((name) => ({
      figure: name,
      ...Object.fromEntries(lines.map((line) => [`${line.case} ${line.topology}`, line[name]])),
    }));

const STYLE = `
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 1200px; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.5rem; }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 460px), 1fr)); gap: 1.5rem; }
figure { margin: 0; } figcaption { font-weight: 600; }
svg { width: 100%; height: auto; font-size: 11px; } svg text { fill: currentColor; opacity: .8; }
path { fill: none; stroke-width: 2; } .grid { stroke: currentColor; opacity: .15; }
.knee { stroke: currentColor; opacity: .6; stroke-dasharray: 4 4; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: 13px; }
th, td { border-bottom: 1px solid #8884; padding: .25rem .45rem; text-align: left; white-space: nowrap; }
td.n { text-align: right; font-variant-numeric: tabular-nums; }
`;

/** `lines` as printed, in order. */
export const report = (lines: readonly Line[]): string => {
  const [machine] = lines.filter(({ bench }) => bench === 'machine');
  const loads = lines.filter(({ bench }) => bench === 'load');
  const steps = lines.filter(({ bench }) => bench === 'curve');
  const charts = loads.map((line) => {
    const points = steps.filter(({ case: name, topology }) => name === line.case && topology === line.topology);
    const caption = `${escaped(line.case)} · ${escaped(line.topology)} · ${escaped(line.ratio)} of reference ${escaped(line.reference)}`;
    return `<figure><figcaption>${caption}</figcaption>${chart(points, numberOf(line, 'knee_per_second'))}</figure>`;
  });
  const others = [...new Set(lines.map(({ bench }) => String(bench)))].filter(
    (name) => !['machine', 'curve', 'load'].includes(name),
  );
  const summary = machine
    ? Object.entries(machine)
        .filter(([name]) => name !== 'bench')
        .map(([name, value]) => `${escaped(name.replaceAll('_', ' '))}: ${escaped(value)}`)
        .join(' · ')
    : '';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Stoa: benches</title><style>${STYLE}</style></head><body>
<h1>Stoa: benches</h1><p>${summary}</p>
<p>Open loop: each request is due at a time fixed beforehand, and its latency counts from when it was offered then; how
late the generator offered it is a figure of its own. Reference A is the same process answering a constant of the same
size without gates; reference B reads and checks the same body first. The knee is the last step before the 99th
percentile leaves ten times the calm median, or before an answer in fifty is missing, twice in a row.</p>
${loads.length > 0 ? `<h2>Latency against offered load</h2><div class="charts">${charts.join('')}</div><h2>Load</h2>${table(transposed(loads))}<h2>Each step</h2>${table(steps)}` : ''}
${others.map((name) => `<h2>${escaped(name)}</h2>${table(lines.filter(({ bench }) => bench === name))}`).join('')}
</body></html>
`;
};
