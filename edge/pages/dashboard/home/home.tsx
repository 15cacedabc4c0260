// The dashboard's first screen.
import { at, useCan, useFormats, useRecord } from '#edge/pages/dashboard/page.ts';
import { ProblemNote } from '#edge/pages/dashboard/problem_note.tsx';
import { PageHead, Sheet } from '#edge/pages/design/display.tsx';
import { Sales } from './sale.tsx';
import { WAITING, type WaitingKind } from './waiting.ts';

const WaitingCard = ({ kind }: { readonly kind: WaitingKind }) => {
  const { value, problem, refresh } = useRecord(kind.count, [kind.name]);
  const { number } = useFormats();
  return (
    <a class="waiting-card" href={at(kind.path, kind.query)}>
      <b class={value?.count === 0 ? 'soft' : undefined}>
        {value === null ? '–' : `${number(value.count)}${value.isMore ? '+' : ''}`}
      </b>
      <span>{kind.name}</span>
      <ProblemNote problem={problem} again={refresh} />
    </a>
  );
};

export const HomeScreen = () => {
  const can = useCan();
  return (
    <>
      <PageHead title="Home" />
      {can('orders:read') && <Sales />}
      <Sheet title="Waiting for you">
        <div class="waiting-cards">
          {WAITING.filter(({ scope }) => can(scope)).map((kind) => (
            <WaitingCard key={kind.name} kind={kind} />
          ))}
        </div>
      </Sheet>
    </>
  );
};
