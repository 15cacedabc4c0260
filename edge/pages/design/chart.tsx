// A chart of values over time. Follows the width of its element, and the colour scheme.
import { useEffect, useRef } from 'preact/hooks';
import UPlot from 'uplot';

export interface ChartSeries {
  readonly label: string;
  /** Null is a gap. */
  readonly values: readonly (number | null)[];
  /** A design token: `--go`. */
  readonly colour: string;
  /** Drawn dashed, as for the time before. */
  readonly dashed?: boolean;
}

interface ChartProps {
  /** Read aloud in place of the picture. */
  readonly label: string;
  /** Ascending, in Unix seconds. */
  readonly times: readonly number[];
  readonly series: readonly ChartSeries[];
  readonly timezone: string;
  readonly timeText: (seconds: number) => string;
  readonly valueText: (value: number) => string;
  /** Text of a mark beside the chart; `valueText` unless said. */
  readonly markText?: (value: number) => string;
  readonly height?: number;
}

const token = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Pixels of a letter beside the chart, and of the room around a text. */
const LETTER_PX = 8;
const MARK_ROOM_PX = 20;

const draw = (room: HTMLElement, props: ChartProps): UPlot => {
  const { times, series, timezone, timeText, valueText, markText = valueText, height = 220 } = props;
  const axis = {
    stroke: token('--soft'),
    grid: { stroke: token('--line'), width: 1 },
    ticks: { stroke: token('--line'), width: 1 },
  };
  return new UPlot(
    {
      width: Math.max(1, room.clientWidth),
      height,
      // The last mark's text is centred below the last value.
      padding: [8, 28, 0, 0],
      cursor: { y: false },
      tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1_000), timezone),
      scales: { x: { time: true }, y: { range: (_plot, _low, high) => [0, Math.max(1, high * 1.1)] } },
      axes: [
        { ...axis, space: 80, values: (_plot, marks) => marks.map(timeText) },
        {
          ...axis,
          size: (_plot, texts) => MARK_ROOM_PX + LETTER_PX * Math.max(3, ...(texts ?? []).map(({ length }) => length)),
          values: (_plot, marks) => marks.map(markText),
        },
      ],
      series: [
        { label: 'Time', value: (_plot, seconds) => (seconds === null ? '–' : timeText(seconds)) },
        ...series.map(({ label, colour, dashed }) => ({
          label,
          stroke: token(colour),
          width: 2,
          ...(dashed ? { dash: [4, 4] } : {}),
          value: (_plot: UPlot, value: number | null) => (value === null ? '–' : valueText(value)),
        })),
      ],
    },
    [[...times], ...series.map(({ values }) => [...values])],
    room,
  );
};

export const Chart = (props: ChartProps) => {
  const room = useRef<HTMLDivElement>(null);
  const { times, series, label } = props;
  useEffect(() => {
    const element = room.current;
    if (!element) return;
    const dark = matchMedia('(prefers-color-scheme: dark)');
    let plot = draw(element, props);
    const redraw = (): void => {
      plot.destroy();
      plot = draw(element, props);
    };
    const watch = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: plot.height }));
    watch.observe(element);
    dark.addEventListener('change', redraw);
    return () => {
      watch.disconnect();
      dark.removeEventListener('change', redraw);
      plot.destroy();
    };
  }, [times, series]);
  return <div class="chart" ref={room} role="img" aria-label={label} />;
};
