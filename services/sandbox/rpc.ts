// Handlers of Sandbox: reset the data, advance the clock, read the clock.
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
import { type AdvanceOutcome, advanceClock } from './clock_advance.ts';
import type { SandboxLease, SandboxLeases } from './lease.ts';
import { resetSandbox } from './reset.ts';

/** Leaves 5 of the caller's 60 seconds for the answer. */
const RUN_MS_MAX = 55_000;
const ADVANCE_MS_MAX = 315_576_000_000;

/** Returns the target time in ms of the sandbox's clock. */
const targetOf = ({ advance_seconds: seconds, to }: TravelTimeRequest, now: number): number | Refusal => {
  if ((seconds === undefined) === (to === undefined))
    return refuse('invalid_request', 'Send exactly one of `advance_seconds` and `to`.', {
      param: seconds === undefined ? 'advance_seconds' : 'to',
    });
  const target = to === undefined ? now + seconds! * 1_000 : new Date(to).getTime();
  if (target < now)
    return refuse(
      'invalid_request',
      `The sandbox’s time is ${new Date(now).toISOString()}, and its clock only goes forward. Send a later time.`,
      { param: 'to' },
    );
  if (target - now > ADVANCE_MS_MAX)
    return refuse('invalid_request', 'The clock advances by at most ten years at once. Advance it in several steps.', {
      param: 'to',
    });
  return target;
};

interface ReachedTime {
  readonly lease: SandboxLease;
  readonly advance: AdvanceOutcome;
}

interface CompletedReset {
  readonly lease: SandboxLease;
  readonly offsetMs: number;
}

export const sandboxHandlers = (runtime: Runtime, leases: SandboxLeases): Handlers<SandboxRpcs> => {
  const { clock, pauseTenant } = runtime;
  return {
    ResetSandbox: staged<ResetSandboxRequest, ResetSandboxResponse, CompletedReset>({
      ownsPrepared: true,
      undoChecksOutcome: true,
      prepare: (call, { copy_catalogue: copy = false }) => {
        const { tenant } = call;
        return leases.hold({
          call,
          targetAt: () => commandIdOf(call),
          work: async (lease, commandId) => {
            if (await lease.isReset(commandId)) return { lease, offsetMs: lease.offsetMs };
            const open = await pauseTenant(tenant);
            try {
              // Freezes the clock, so that no timer of another domain fires.
              clock.freeze(tenant, clock.now(tenant).getTime());
              await resetSandbox(runtime, tenant, { copy, commandId, lease });
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

    TravelTime: staged<TravelTimeRequest, TravelTimeResponse, ReachedTime>({
      ownsPrepared: true,
      undoChecksOutcome: true,
      prepare: (call, input) => {
        const { tenant } = call;
        return leases.hold({
          call,
          targetAt: (now) => targetOf(input, now),
          work: async (lease, target) => {
            const advance = await advanceClock(runtime, tenant, target, clock.real() + RUN_MS_MAX);
            // The clock runs again from here; the transaction that follows saves its offset.
            clock.setOffset(tenant, Math.max(lease.offsetMs, advance.reached - clock.real()));
            return { lease, advance };
          },
        });
      },
      run: async (tx, _call, _input, { lease, advance }) => {
        const real = clock.real();
        const offset = Math.max(lease.offsetMs, advance.reached - real);
        await lease.set(tx, offset);
        return { now: new Date(real + offset).toISOString(), fired: [...advance.fired] };
      },
      undo: (_call, { lease }) => lease.end(),
    }),

    GetClock: read(({ tenant }, _input: GetClockRequest) => ({
      offset_seconds: clock.offset(tenant) / 1_000,
    })),
  };
};
