// Writes structured logs as one JSON object in each line, with secrets hidden.
import pino from 'pino';

export type Log = pino.Logger;

const HIDDEN = '[hidden]';
const SECRET_NAME =
  /authorization|cookie|passw|secret|signature|credential|token|api_?key|x-external-auth|^otp$|_code_hash$/i;
const DEPTH_MAX = 8;
const TEXT_MAX = 8_192;

/**
 * Patterns of secrets within texts: API keys, signing secrets, bearer tokens, JWTs, passwords in URLs. Every repetition
 * is bounded, since an attacker may choose the text.
 */
const SECRET_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/\b(svc_(?:(?:sk|pk|mk|at|rt|ac)_(?:live|test)|cs)_)[\w-]+/g, `$1${HIDDEN}`],
  [/(\/connect\/)[\w-]{43}(?![\w-])/g, `$1${HIDDEN}`],
  [/\bwhsec_[\w+/=-]+/g, `whsec_${HIDDEN}`],
  [/\b(Bearer|Basic) +[\w.~+/=-]+/gi, `$1 ${HIDDEN}`],
  [/(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]*/g, HIDDEN],
  [/(\w:\/\/[^\s:/@"]{0,128}:)[^\s@"]{1,512}(?=@)/g, `$1${HIDDEN}`],
  [
    /("[\w-]{0,40}(?:authorization|cookie|passw|secret|signature|credential|token|api_?key)[\w-]{0,40}\\{0,64}" {0,8}: {0,8}\\{0,64}")(?:[^"\\]|\\(?!"))+/gi,
    `$1${HIDDEN}`,
  ],
];

const hideSecrets = (text: string): string => {
  let shown = text;
  for (const [pattern, replacement] of SECRET_TEXTS) shown = shown.replace(pattern, replacement);
  return shown;
};

const hideMembers = (value: unknown, depth: number): unknown => {
  if (typeof value === 'string' && value.length > TEXT_MAX) return `${value.slice(0, TEXT_MAX)}…`;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEPTH_MAX) return '[deep]';
  if (value instanceof Error) return describe(value, depth);
  if (value instanceof Date) return value;
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.map((item) => hideMembers(item, depth + 1));
  const shown: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value))
    shown[name] = SECRET_NAME.test(name) ? HIDDEN : hideMembers(member, depth + 1);
  return shown;
};

/** Returns only members that every error has, because drivers attach statements and parameters to theirs. */
const describe = (error: Error, depth: number): Record<string, unknown> => ({
  type: error.name,
  message: error.message,
  ...('code' in error && typeof error.code === 'string' ? { code: error.code } : {}),
  ...('constraint_name' in error ? { constraint: error.constraint_name } : {}),
  stack: error.stack ?? '',
  ...(error.cause === undefined ? {} : { cause: hideMembers(error.cause, depth + 1) }),
});

export interface LogOptions {
  readonly name: string;
  readonly level?: string;
  /** Writes a line. Standard error by default, since commands use standard output. */
  readonly write?: (line: string) => void;
}

/** Limit of buffered bytes while writing fails, as with a full disk. Further lines are dropped. */
const WAITING_BYTES_MAX = 1_048_576;

const standardError = () => {
  const sink = pino.destination({ fd: 2, sync: true, maxLength: WAITING_BYTES_MAX });
  // Without a listener a failed write would end the process.
  sink.on('error', () => {});
  return sink;
};

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

export const createLog = (options: LogOptions): Log => {
  const wanted = (options.level ?? 'info').toLowerCase();
  const level = LEVELS.includes(wanted) ? wanted : 'info';
  const sink = options.write ? { write: options.write } : standardError();
  const log = pino(
    {
      level,
      base: { process: options.name, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      // Leaves errors to `hideMembers`, because pino's serializer would show what drivers attach.
      serializers: { err: (described) => described },
      formatters: {
        level: (label) => ({ level: label }),
        log: (members) => hideMembers(members, 0) as Record<string, unknown>,
      },
    },
    // Hides secrets in the finished line, so that no text bypasses this.
    { write: (line: string) => sink.write(hideSecrets(line)) },
  );
  if (level !== wanted) log.warn({ given: wanted, levels: LEVELS }, 'STOA_LOG_LEVEL is none of the levels: using info');
  return log;
};
