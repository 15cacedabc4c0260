// A line chart that follows changes of its data and of its element's size.
import { useEffect, useRef } from 'preact/hooks';
import UPlot from 'uplot';
import { timeOf } from './polling.ts';

export interface ChartLine {
  readonly label: string;
  readonly colour: string;
  readonly values: readonly (number | null)[];
}

interface Props {
  readonly title: string;
  /** Ascending, in Unix seconds. */
  readonly times: readonly number[];
  readonly lines: readonly ChartLine[];
}

const HEIGHT = 180;

/** Indexes of points between two gaps; they are drawn as dots, because no line passes through them. */
const lonePoints = (plot: UPlot, series: number): number[] => {
  const values = plot.data[series] ?? [];
  const gap = (at: number): boolean => values[at] === null || values[at] === undefined;
  return [...values.keys()].filter((at) => !gap(at) && gap(at - 1) && gap(at + 1));
};

const colourOf = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const plot = (room: HTMLElement, lines: readonly ChartLine[]): UPlot => {
  const axis = {
    stroke: colourOf('--soft'),
    grid: { stroke: colourOf('--line'), width: 1 },
    ticks: { stroke: colourOf('--line'), width: 1 },
  };
  return new UPlot(
    {
      width: room.clientWidth,
      height: HEIGHT,
      cursor: { y: false },
      scales: { x: { time: true }, y: { range: (_plot, _low, high) => [0, Math.max(1, high * 1.1)] } },
      axes: [
        { ...axis, space: 72, values: (_plot, times) => times.map((at) => timeOf(at * 1_000)) },
        { ...axis, size: 48 },
      ],
      series: [
        { label: 'time', value: (_plot, at) => (at === null ? '--' : timeOf(at * 1_000)) },
        ...lines.map(({ label, colour }) => ({
          label,
          stroke: colourOf(colour),
          width: 2,
          points: { show: true, size: 6, fill: colourOf(colour), filter: lonePoints },
        })),
      ],
    },
    [[], ...lines.map(() => [])],
    room,
  );
};

export const Chart = ({ title, times, lines }: Props) => {
  const room = useRef<HTMLDivElement>(null);
  const drawn = useRef<UPlot | null>(null);
  useEffect(() => {
    const element = room.current;
    if (!element) return;
    const made = plot(element, lines);
    drawn.current = made;
    const watch = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    watch.observe(element);
    return () => {
      watch.disconnect();
      made.destroy();
    };
  }, []);
  useEffect(() => {
    drawn.current?.setData([[...times], ...lines.map(({ values }) => [...values])]);
  }, [times, lines]);
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <div class="chart" ref={room} />
    </figure>
  );
};
