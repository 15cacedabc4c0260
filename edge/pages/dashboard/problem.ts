// A refused or failed call, as a screen shows it: its message, the field that is wrong, and advice.
import { StoaError } from '#proto/client/dashboard.ts';

export interface ScreenProblem {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  /** JSON path of the field that the API refused. */
  readonly param: string | null;
  readonly hint: string | null;
  readonly details: string | null;
  /** Whether the write may have happened. */
  readonly unknown: boolean;
}

export const problemOf = (refused: unknown): ScreenProblem => {
  if (!(refused instanceof StoaError)) throw refused;
  const { code, status, message, param = null, hint = null, details = null, unknown } = refused;
  return {
    code,
    status,
    message: code === 'network_error' ? 'The store cannot be reached. Check your connection.' : message,
    param,
    hint,
    details,
    unknown,
  };
};

/** The refusal of one field; undefined if another one or none was refused. */
export const problemAt = (problem: ScreenProblem | null, param: string): string | undefined =>
  problem?.param === param ? problem.message : undefined;

export const MAYBE_DONE = 'The change may have been made: look before you repeat it.';

/** A refusal in one text, for a row or a cell. */
export const problemText = ({ message, unknown }: ScreenProblem): string =>
  unknown ? `${message} ${MAYBE_DONE}` : message;
