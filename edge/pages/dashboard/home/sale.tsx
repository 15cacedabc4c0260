// Sales of a period against the time before, as figures and as a chart.
import { useFilters, useFormats, useRecord, useStore, WhenLoaded } from '#edge/pages/dashboard/page.ts';
import { Chart } from '#edge/pages/design/chart.tsx';
import { Sheet } from '#edge/pages/design/display.tsx';
import type { DashboardApi, SalesReport } from '#proto/client/dashboard.ts';
import { changeOf, PERIODS, type PeriodDays, rangesOf } from './period.ts';

interface ComparedSales {
  readonly now: SalesReport;
  readonly before: SalesReport;
}

const readSales = async (api: DashboardApi, days: PeriodDays): Promise<ComparedSales> => {
  const { sales } = await api.reports.sales.get();
  const { now, before } = rangesOf(days, sales.timezone, sales.to, Date.now());
  const interval = days === 1 ? 'hour' : 'day';
  const [shown, earlier] = await Promise.all([
    api.reports.sales.get({ ...now, interval }),
    api.reports.sales.get({ ...before, interval }),
  ]);
  return { now: shown.sales, before: earlier.sales };
};

interface FigureProps {
  readonly name: string;
  readonly now: number;
  readonly before: number;
  readonly text: (value: number) => string;
}

const Figure = ({ name, now, before, text }: FigureProps) => {
  const { percent } = useFormats();
  const change = changeOf(now, before);
  return (
    <div class="figure">
      <span class="soft">{name}</span>
      <b>{text(now)}</b>
      <small>
        {change === null
          ? `before: ${text(before)}`
          : `${change > 0 ? '+' : ''}${percent(Math.round(change * 100) / 100)}`}
      </small>
    </div>
  );
};

const Figures = ({ now, before }: ComparedSales) => {
  const { money, number } = useFormats();
  const amount = (value: number): string => money(value, now.currency);
  const [one, other] = [now.total, before.total];
  return (
    <div class="figures">
      <Figure name="Sales" now={one.total} before={other.total} text={amount} />
      <Figure name="Orders" now={one.orders} before={other.orders} text={number} />
      <Figure name="Average order" now={one.average_order ?? 0} before={other.average_order ?? 0} text={amount} />
      <Figure name="Refunds" now={one.refunds} before={other.refunds} text={amount} />
      <Figure
        name="Returning customers"
        now={one.returning_customers ?? 0}
        before={other.returning_customers ?? 0}
        text={number}
      />
    </div>
  );
};

const SalesChart = ({ now, before, days }: ComparedSales & { readonly days: PeriodDays }) => {
  const { timezone } = useStore();
  const { money, shortMoney, day, hour } = useFormats();
  const times = now.intervals.map(({ from }) => Date.parse(from) / 1_000);
  const earlier = now.intervals.map((_, index) => before.intervals[index]?.figures.total ?? null);
  // The time before ends at the same time of day: later intervals are still to come.
  const shown = now.intervals.map(({ figures }, index) => (index < before.intervals.length ? figures.total : null));
  return (
    <Chart
      label={`Sales of ${PERIODS.find((each) => each.days === days)!.name}, in all ${money(now.total.total, now.currency)}`}
      times={times}
      timezone={timezone}
      timeText={(seconds) => (days === 1 ? hour : day)(seconds * 1_000)}
      valueText={(value) => money(value, now.currency)}
      markText={(value) => shortMoney(value, now.currency)}
      series={[
        { label: 'Now', colour: '--go', values: shown },
        { label: 'Before', colour: '--soft', dashed: true, values: earlier },
      ]}
    />
  );
};

const periodOf = (text: string | null): PeriodDays => PERIODS.find(({ days }) => String(days) === text)?.days ?? 7;

export const Sales = () => {
  const [query, change] = useFilters();
  const days = periodOf(query.get('days'));
  const loaded = useRecord((api) => readSales(api, days), [days]);
  const { before } = PERIODS.find((each) => each.days === days)!;
  return (
    <Sheet
      title="Sales"
      action={
        <fieldset class="tabs periods">
          <legend class="unseen">Period</legend>
          {PERIODS.map((period) => (
            <button
              key={period.days}
              type="button"
              aria-current={period.days === days ? 'true' : undefined}
              onClick={() => change({ days: period.days })}
            >
              {period.name}
            </button>
          ))}
        </fieldset>
      }
    >
      <WhenLoaded loaded={loaded}>
        {(sales) => (
          <div class="stack">
            <Figures {...sales} />
            <SalesChart key={days} {...sales} days={days} />
            <small>Against {before}, in the store’s time zone.</small>
          </div>
        )}
      </WhenLoaded>
    </Sheet>
  );
};
