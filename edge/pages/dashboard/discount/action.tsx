// A promotion is started, paused, resumed, ended and deleted.
import { useState } from 'preact/hooks';
import { at, go, ProblemNote, useFormats, useWrite } from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { Confirm } from '#edge/pages/design/dialog.tsx';
import type { DashboardApi, StorePromotion } from '#proto/client/dashboard.ts';

type Status = StorePromotion['status'];

interface ActionProps {
  readonly promotion: StorePromotion;
  readonly show: (promotion: StorePromotion) => void;
}

const End = ({ promotion: { id, name }, show }: ActionProps) => {
  const [asked, setAsked] = useState(false);
  const write = useWrite();
  const confirm = async (): Promise<void> => {
    const answer = await write.run((api) => api.promotions.update({ id, status: 'ended' }), {
      done: `${name} has ended.`,
    });
    if (!answer) return;
    setAsked(false);
    show(answer.promotion);
  };
  return (
    <>
      <Button tone="danger" press={() => setAsked(true)}>
        End
      </Button>
      {asked && (
        <Confirm
          title={`End ${name}?`}
          action="End the promotion"
          busy={write.busy}
          confirm={() => void confirm()}
          close={() => setAsked(false)}
        >
          <p>No basket gets it from now on. It cannot be started again, and its code may be used for another one.</p>
          <ProblemNote problem={write.problem} />
        </Confirm>
      )}
    </>
  );
};

const Delete = ({ promotion: { id, name, times_used } }: Pick<ActionProps, 'promotion'>) => {
  const { number } = useFormats();
  const [asked, setAsked] = useState(false);
  const write = useWrite();
  const confirm = async (): Promise<void> => {
    const answer = await write.run((api) => api.promotions.delete({ id }), { done: `${name} is deleted.` });
    if (answer) go(at('discounts'), { replace: true });
  };
  return (
    <>
      <Button tone="quiet" icon="remove" press={() => setAsked(true)}>
        Delete
      </Button>
      {asked && (
        <Confirm
          title={`Delete ${name}?`}
          action="Delete the promotion"
          busy={write.busy}
          confirm={() => void confirm()}
          close={() => setAsked(false)}
        >
          <p>
            It cannot be brought back, and its code may be used for another one.{' '}
            {times_used > 0 && `The ${number(times_used)} orders that used it keep their discount.`}
          </p>
          <ProblemNote problem={write.problem} />
        </Confirm>
      )}
    </>
  );
};

/** The status of a promotion that is resumed: the API makes a scheduled one active if its start has passed. */
const resumed = ({ starts_at }: StorePromotion): Status => (starts_at === null ? 'active' : 'scheduled');

/** Pausing and resuming can be undone; a draft or a scheduled promotion that was started stays started. */
export const PromotionActions = ({ promotion, show }: ActionProps) => {
  const { id, name, status } = promotion;
  const write = useWrite();
  const move = async (api: DashboardApi, to: Status): Promise<StorePromotion> => {
    const answer = await api.promotions.update({ id, status: to });
    show(answer.promotion);
    return answer.promotion;
  };
  const start = (): void => void write.run((api) => move(api, 'active'), { done: `${name} is active.` });
  const pause = (): void =>
    void write.run((api) => move(api, 'paused'), {
      done: `${name} is paused.`,
      undo: (api) => move(api, resumed(promotion)),
    });
  const resume = (): void =>
    void write.run((api) => move(api, resumed(promotion)), {
      done: `${name} is resumed.`,
      undo: (api) => move(api, 'paused'),
    });
  return (
    <>
      {(status === 'draft' || status === 'scheduled') && (
        <Button tone="primary" busy={write.busy} press={start}>
          Start now
        </Button>
      )}
      {(status === 'active' || status === 'scheduled') && (
        <Button busy={write.busy} press={pause}>
          Pause
        </Button>
      )}
      {status === 'paused' && (
        <Button tone="primary" busy={write.busy} press={resume}>
          Resume
        </Button>
      )}
      {(status === 'active' || status === 'paused') && <End promotion={promotion} show={show} />}
      <Delete promotion={promotion} />
      <ProblemNote problem={write.problem} />
    </>
  );
};
