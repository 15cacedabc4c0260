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
import type { SandboxLease, SandboxLeases } from './lease.ts';
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
  readonly lease: SandboxLease;
  readonly journey: Journey;
}

interface BegunAnew {
  readonly lease: SandboxLease;
  readonly offsetMs: number;
}

export const sandboxHandlers = (runtime: Runtime, leases: SandboxLeases): Handlers<SandboxRpcs> => {
  const { clock, pauseTenant } = runtime;
  return {
    ResetSandbox: staged<ResetSandboxRequest, ResetSandboxResponse, BegunAnew>({
      ownsPrepared: true,
      undoChecksOutcome: true,
      prepare: (call, { copy_catalogue: copy = false }) => {
        const { tenant } = call;
        return leases.hold({
          call,
          aim: () => commandIdOf(call),
          work: async (lease, commandId) => {
            // The clock may have been moved since.
            if (await lease.isReset(commandId)) return { lease, offsetMs: lease.offsetMs };
            const open = await pauseTenant(tenant);
            try {
              // What looks by itself for what is due leaves it alone.
              clock.freeze(tenant, clock.now(tenant).getTime());
              await beginAnew(runtime, tenant, { copy, commandId, lease });
              clock.setOffset(tenant, 0);
              return { lease, offsetMs: 0 };
            } finally {
              open();
            }
          },
        });
      },
      run: async (tx, _call, _input, { lease, offsetMs }) => {
        await lease.set(tx, offsetMs);
        return { reset: true, now: new Date(clock.real() + offsetMs).toISOString() };
      },
      undo: (_call, { lease }) => lease.end(),
    }),

    TravelTime: staged<TravelTimeRequest, TravelTimeResponse, Arrived>({
      ownsPrepared: true,
      undoChecksOutcome: true,
      prepare: (call, input) => {
        const { tenant } = call;
        return leases.hold({
          call,
          aim: (now) => targetOf(input, now),
          work: async (lease, target) => {
            const journey = await travel(runtime, tenant, target, clock.real() + JUMP_MS_MAX);
            // It runs again; for good once the transaction has written it down.
            clock.setOffset(tenant, Math.max(lease.offsetMs, journey.reached - clock.real()));
            return { lease, journey };
          },
        });
      },
      run: async (tx, _call, _input, { lease, journey }) => {
        const real = clock.real();
        const offset = Math.max(lease.offsetMs, journey.reached - real);
        await lease.set(tx, offset);
        return { now: new Date(real + offset).toISOString(), fired: [...journey.fired] };
      },
      undo: (_call, { lease }) => lease.end(),
    }),

    GetClock: read(({ tenant }, _input: GetClockRequest) => ({
      offset_seconds: clock.offset(tenant) / 1_000,
    })),
  };
};
