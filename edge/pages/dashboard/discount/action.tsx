// A promotion is started, paused and ended.
import { useState } from 'preact/hooks';
import { ProblemNote, useWrite } from '#edge/pages/dashboard/page.ts';
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

/** Pausing and resuming can be undone; a draft or a scheduled promotion that was started stays started. */
export const PromotionActions = ({ promotion, show }: ActionProps) => {
  const { id, name, status } = promotion;
  const write = useWrite();
  const move = async (api: DashboardApi, to: Status): Promise<StorePromotion> => {
    const answer = await api.promotions.update({ id, status: to });
    show(answer.promotion);
    return answer.promotion;
  };
  const turn = (from: Status, to: Status, done: string): void =>
    void write.run((api) => move(api, to), { done, undo: (api) => move(api, from) });
  const start = (): void => void write.run((api) => move(api, 'active'), { done: `${name} is active.` });
  return (
    <>
      {(status === 'draft' || status === 'scheduled') && (
        <Button tone="primary" busy={write.busy} press={start}>
          Start now
        </Button>
      )}
      {status === 'active' && (
        <Button busy={write.busy} press={() => turn('active', 'paused', `${name} is paused.`)}>
          Pause
        </Button>
      )}
      {status === 'paused' && (
        <Button tone="primary" busy={write.busy} press={() => turn('paused', 'active', `${name} is active.`)}>
          Resume
        </Button>
      )}
      {(status === 'active' || status === 'paused') && <End promotion={promotion} show={show} />}
      <ProblemNote problem={write.problem} />
    </>
  );
};
