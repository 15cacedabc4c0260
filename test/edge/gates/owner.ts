// The owners of limits as an edge's throttle sees them: the real core of a limit behind a wire that can be cut or slowed.
import { type Refusal, refuse } from '#runtime/call/call.ts';
import type { Answer, Ask, LinkClient } from '#runtime/link/frame.ts';
import { decideLimit, evolveLimit, type LimitState, NO_LIMIT, type Take } from '#services/limit/limit.ts';

export interface TakeInput extends Omit<Take, 'type'> {
  readonly subject: string;
  readonly patient: boolean;
}

export const answerOf = (value: unknown, refused: Refusal | null = null): Answer => ({
  body: new TextEncoder().encode(refused ? '' : JSON.stringify(value)),
  dependsOn: [],
  replayed: false,
  refused,
});

export class Owners implements LinkClient {
  readonly #states = new Map<string, LimitState>();
  readonly asks: TakeInput[] = [];
  away = false;
  /** Answers wait for it. */
  gate: Promise<void> = Promise.resolve();
  /** Called when the last tokens may be in another edge's hands. */
  recall: (store: string, name: string) => void = () => {};

  cancelWaits(): void {}

  async ask({ rpc, caller, input }: Ask): Promise<Answer> {
    if (rpc !== 'Limit/Take') throw new Error(`No handler answers ${rpc} here.`);
    const asked = JSON.parse(input) as TakeInput;
    this.asks.push(asked);
    await this.gate;
    if (this.away) return answerOf(null, refuse('service_unavailable', 'Away.', { retryAfterS: 1 }));
    const name = `${asked.scope}/${asked.subject}`;
    let answer = this.#take(caller.tenant.store, name, asked);
    for (let tries = 0; asked.patient && answer.granted < asked.need && answer.outstanding > 0 && tries < 20; tries++) {
      this.recall(caller.tenant.store, name);
      await Bun.sleep(1);
      answer = this.#take(caller.tenant.store, name, asked);
    }
    return answerOf(answer);
  }

  #take(store: string, name: string, asked: TakeInput) {
    const key = `${store} ${name}`;
    const state = this.#states.get(key) ?? NO_LIMIT;
    const { facts, answer } = decideLimit(state, { ...asked, type: 'Take' }, { now: asked.now });
    this.#states.set(key, facts.reduce(evolveLimit, state));
    return answer;
  }

  /** Returns the requests in the current window that the owner knows of. */
  spent(store: string, name: string): number {
    const state = this.#states.get(`${store} ${name}`) ?? NO_LIMIT;
    return Object.values(state.edges).reduce((sum, { spent }) => sum + spent, 0);
  }

  listen = (): void => {};
  serves = (): boolean => true;
  close = async (): Promise<void> => {};
}
