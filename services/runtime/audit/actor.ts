// Tells who makes a call, as the audit log names callers.
import type { AuditActor } from '#proto/gen/audit_log.ts';
import type { Caller } from '#runtime/link/frame.ts';

export const STAFF_PREFIX = 'staff:';
export const APP_PREFIX = 'app:';
export const COMMAND_LINE = 'command_line';
export const PROGRAM = 'program';

/** Returns null for shoppers, and for calls between hosts and domains, which a recorded call may cause. */
export const actorOf = (caller: Caller): AuditActor | null => {
  const { keyType, keyId, customer, actorName: name = null } = caller;
  if (customer !== null) return null;
  if (keyId === COMMAND_LINE || keyId === PROGRAM) return { kind: keyId, id: null, name };
  if (keyType !== 'secret' && keyType !== 'operator') return null;
  if (keyId.startsWith(STAFF_PREFIX)) return { kind: 'staff', id: keyId.slice(STAFF_PREFIX.length), name };
  if (keyType === 'operator') return { kind: 'operator_key', id: keyId, name };
  if (keyId.startsWith(APP_PREFIX)) return { kind: 'app', id: keyId.slice(APP_PREFIX.length), name };
  return { kind: 'key', id: keyId, name };
};
