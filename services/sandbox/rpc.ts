// The door of the sandbox's tools.
import type {
  GetClockRequest,
  ResetSandboxRequest,
  ResetSandboxResponse,
  SandboxRpcs,
  TravelTimeRequest,
  TravelTimeResponse,
} from '#proto/gen/sandbox.ts';
import { commandIdOf } from '#runtime/actor/host.ts';
import { type Refusal, refuse } from '#runtime/call/call.ts';
import { type Handlers, read, staged } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { ClockKeeper, Tenure } from './clock_keeper.ts';
import { beginAnew } from './reset.ts';
import { type Journey, travel } from './time_machine.ts';

/** "the jump itself 60": with some time to answer. */
const JUMP_MS_MAX = 55_000;
const ADVANCE_MS_MAX = 315_576_000_000;

/** Where to, in ms by the sandbox's clock. */
const targetOf = ({ advance_seconds: seconds, to }: TravelTimeRequest, now: number): number | Refusal => {
  if ((seconds === undefined) === (to === undefined))
    return refuse('invalid_request', 'Exactly one of `advance_seconds` and `to` is needed.', {
      param: seconds === undefined ? 'advance_seconds' : 'to',
    });
  const target = to === undefined ? now + seconds! * 1_000 : new Date(to).getTime();
  if (target < now) return refuse('invalid_request', 'The clock only goes forward: `to` is past.', { param: 'to' });
  if (target - now > ADVANCE_MS_MAX)
    return refuse('invalid_request', 'A jump is of ten years at most.', { param: 'to' });
  return target;
};

interface Arrived {
  readonly tenure: Tenure;
  readonly journey: Journey;
}

interface BegunAnew {
  readonly tenure: Tenure;
  readonly offsetMs: number;
}

export const sandboxHandlers = (runtime: Runtime, keeper: ClockKeeper): Handlers<SandboxRpcs> => {
  const { clock, pauseTenant } = runtime;
  return {
    ResetSandbox: staged<ResetSandboxRequest, ResetSandboxResponse, BegunAnew>({
      owns: true,
      undoAsks: true,
      prepare: (call, { copy_catalogue: copy = false }) => {
        const { tenant } = call;
        return keeper.hold({
          call,
          aim: () => commandIdOf(call),
          work: async (tenure, commandId) => {
            // The clock may have been moved since.
            if (await tenure.isReset(commandId)) return { tenure, offsetMs: tenure.offsetMs };
            const open = await pauseTenant(tenant);
            try {
              // What looks by itself for what is due leaves it alone.
              clock.stand(tenant, clock.now(tenant).getTime());
              await beginAnew(runtime, tenant, { copy, commandId, tenure });
              clock.setOffset(tenant, 0);
              return { tenure, offsetMs: 0 };
            } finally {
              open();
            }
          },
        });
      },
      run: async (tx, _call, _input, { tenure, offsetMs }) => {
        await tenure.set(tx, offsetMs);
        return { reset: true, now: new Date(clock.real() + offsetMs).toISOString() };
      },
      undo: (_call, { tenure }) => tenure.leave(),
    }),

    TravelTime: staged<TravelTimeRequest, TravelTimeResponse, Arrived>({
      owns: true,
      undoAsks: true,
      prepare: (call, input) => {
        const { tenant } = call;
        return keeper.hold({
          call,
          aim: (now) => targetOf(input, now),
          work: async (tenure, target) => {
            const journey = await travel(runtime, tenant, target, clock.real() + JUMP_MS_MAX);
            // It runs again; for good once the transaction has written it down.
            clock.setOffset(tenant, Math.max(tenure.offsetMs, journey.reached - clock.real()));
            return { tenure, journey };
          },
        });
      },
      run: async (tx, _call, _input, { tenure, journey }) => {
        const real = clock.real();
        const offset = Math.max(tenure.offsetMs, journey.reached - real);
        await tenure.set(tx, offset);
        return { now: new Date(real + offset).toISOString(), fired: [...journey.fired] };
      },
      undo: (_call, { tenure }) => tenure.leave(),
    }),

    GetClock: read(({ tenant }, _input: GetClockRequest) => ({
      offset_seconds: clock.offset(tenant) / 1_000,
    })),
  };
};
