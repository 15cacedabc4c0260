// Finds names and sentences that an engineer who is new here cannot read: private words in identifiers, comments, test
// names, log lines and messages without a subject, long sentences, and citations of documents that are not in the repository.

export type PlainRule = 'identifier' | 'opener' | 'phrase' | 'long' | 'citation' | 'message' | 'log' | 'test';

export interface Finding {
  readonly rule: PlainRule;
  readonly place: string;
  readonly text: string;
}

/** Words that are no terms of computing or commerce. An identifier that has one as a part is refused. */
const PRIVATE_WORDS = new Set(
  (
    'told kept wish wished wishes begun standing taker takers neighbour neighbours standings guest farewell doored shelf stranger ' +
    'knock knocks brisk adrift misread misreads spoken lasting upkeep sighting sightings deed deeds doubted doubtful ' +
    'ware wares foundation ground inquiry placing placings willed heard hearsay hall born lapse lapses ailment ailments ' +
    'beats census peaks narrow losses entrance trimmer pusher stride apart journey mall stall theatre seat squeeze halt ' +
    'aftersale teller refiler pen unserved awhile owed owes'
  ).split(' '),
);
/** The same, of two parts that follow each other. */
const PRIVATE_PAIRS = new Set(
  (
    'letgo openground lastheard soldout ofkept notsold aswished savedlast saidlast comingback waitingline ' +
    'cachepage aftersale'
  ).split(' '),
);
const TERMS = /wishlist|standingorder|groundtruth|background|foreground|paperback/i;

const CLAUSE_OPENERS =
  'What|Who|Whom|Whose|Whoever|Whatever|Whichever|Of|By|To|At|As|Than|Those|That which|So many|So that|It|Its|They|' +
  'Their|Them|Such|Neither|Nor|Also|Too|Behind|Beside|Beyond|Unlike|Said|Told|Kept|Where|Whence|Here|There|Else|' +
  'Otherwise|Not|Nothing|None|Nobody|Somebody';
const OPENER = new RegExp(`^(${CLAUSE_OPENERS})\\b`);
/** "To compare, …" and "By adding …" lead to a subject. */
const LEADING_GERUND = /^(To|As|By|Where) [a-z]+ing\b/;
const PHRASE = new RegExp(
  '\\b(whoever|whatever|whichever|nobody|somebody|wherever|heard of|is heard|are heard|told of|is told|are told|' +
    'was told|let go|lets go|goes on|go on|any more|no more|at one go|be it|by itself|at leisure|as it were|comes to|' +
    'come to pass|is over|are over|is due to|of its own|at hand|not at all|stands? for good|stands? in the way|' +
    'had its turn|of late|lately|ever since|in sight|its likes|all the same|what is left|what was|what is|what has|' +
    'what had|who has|who had|what it|that which)\\b',
  'i',
);
const TEST_OPENER = new RegExp(
  '^(of|by|at|to|as|that|what|who|whose|whom|those|are|is|was|were|has|have|had|be|been|about|beside|behind|than|so|' +
    'such|neither|nor|too|in|on|from|for|with|without|until|not|no one|nobody|nothing|none|whoever|it|its|they)\\b',
  'i',
);
const MESSAGE_PHRASE =
  /\b(as much|as many|at this moment|good for this|before that|all of it|this way|these pieces|is used\.|is not free)\b/i;
const CITATION = /\b(contract \d|DESIGN\b|[Ss]pecification[ ,"“])/;

const SENTENCE_WORDS_MAX = 28;
const MESSAGE_LENGTH_MAX = 160;

const partsOf = (identifier: string): string[] =>
  identifier
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[ _$\d]+/)
    .map((part) => part.toLowerCase())
    .filter((part) => part !== '');

/** The first private word of an identifier. */
export const privateWordOf = (identifier: string): string | undefined => {
  if (TERMS.test(identifier)) return undefined;
  const parts = partsOf(identifier);
  const pairs = parts.slice(1).map((part, at) => parts[at]! + part);
  return parts.find((part) => PRIVATE_WORDS.has(part)) ?? pairs.find((pair) => PRIVATE_PAIRS.has(pair));
};

export const lacksSubject = (sentence: string): boolean => OPENER.test(sentence) && !LEADING_GERUND.test(sentence);
export const hasRiddle = (text: string): boolean => PHRASE.test(text);
export const isPlainTestName = (name: string): boolean => !TEST_OPENER.test(name);

const COMMENT = /^\s*(?:\/\/|\/\*\*?|\*(?!\/)|--)\s?(.*?)(?:\*\/)?\s*$/;
const DIRECTIVE = /^\s*\/\/ ?(biome|@ts|eslint)/;
const MESSAGE = /\b(?:refuse|invalid|Refusal|refusal)\([^'"`]*['"`][a-z_]+['"`],\s*['"`]([^'"`]{8,})/;
const LOG = /\blog(?:ger)?\.(?:info|warn|error|debug)\([^'"`]*['"`]([^'"`]{4,})/;
const TEST_NAME = /^\s*(?:test|it)(?:\.\w+(?:\([^)]*\))?)*\(\s*['"`]([^'"`]{3,})/;

const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1);

const inComment = (text: string, isProto: boolean): PlainRule[] => {
  const sentences = text.replace(/`[^`]*`/g, 'x').split(/(?<=[.!?:;])\s+/);
  return [
    ...(sentences.some(lacksSubject) ? (['opener'] as const) : []),
    ...(PHRASE.test(text) ? (['phrase'] as const) : []),
    ...(sentences.some((sentence) => sentence.split(/\s+/).length > SENTENCE_WORDS_MAX) ? (['long'] as const) : []),
    ...(!isProto && CITATION.test(text) ? (['citation'] as const) : []),
  ];
};

const isRiddleTo = (reader: 'caller' | 'operator', text: string): boolean =>
  OPENER.test(capital(text)) ||
  PHRASE.test(text) ||
  (reader === 'caller' && (MESSAGE_PHRASE.test(text) || text.length > MESSAGE_LENGTH_MAX));

/** Everything in one source file that is not plain. `path` is relative to the project's root. */
export const plainFindings = (path: string, source: string): Finding[] => {
  const found: Finding[] = [];
  const isTest = path.startsWith('test/');
  const comments: { line: number; end: number; text: string }[] = [];
  for (const [at, line] of source.split('\n').entries()) {
    const place = `${path}:${at + 1}`;
    const comment = DIRECTIVE.test(line) ? null : COMMENT.exec(line);
    if (comment && !/^\s*\*\//.test(line)) {
      const last = comments.at(-1);
      if (last && last.end === at - 1) Object.assign(last, { text: `${last.text} ${comment[1]}`, end: at });
      else comments.push({ line: at + 1, end: at, text: comment[1]! });
      continue;
    }
    const code = line.replace(/(['"`])(?:\\.|(?!\1).)*\1/g, "''").replace(/\/\/.*$/, '');
    for (const identifier of code.match(/[A-Za-z_$][\w$]*/g) ?? [])
      if (privateWordOf(identifier)) found.push({ rule: 'identifier', place, text: identifier });
    const message = MESSAGE.exec(line)?.[1];
    if (message && isRiddleTo('caller', message)) found.push({ rule: 'message', place, text: message });
    const logged = isTest ? undefined : LOG.exec(line)?.[1];
    if (logged && isRiddleTo('operator', logged)) found.push({ rule: 'log', place, text: logged });
    const name = isTest ? TEST_NAME.exec(line)?.[1] : undefined;
    if (name && !isPlainTestName(name)) found.push({ rule: 'test', place, text: name });
  }
  const file = path
    .split('/')
    .at(-1)!
    .replace(/\.(test\.)?\w+$/, '');
  if (privateWordOf(file)) found.push({ rule: 'identifier', place: path, text: file });
  for (const { line, text } of comments.filter((comment) => comment.text.trim().length >= 4))
    for (const rule of inComment(text.trim(), path.startsWith('proto/')))
      found.push({ rule, place: `${path}:${line}`, text: text.trim().slice(0, 160) });
  return found;
};
