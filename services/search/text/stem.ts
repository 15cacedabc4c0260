// Maps singular and plural to one term: English nouns by spelling rules and exceptions, Arabic nouns by their
// consonants. Words of other languages stay unchanged.

/** Singulars that end in a single s and form the plural with -es, except -us and -is, which rules cover. */
const IN_S = new Set(
  (
    'lens gas bias alias atlas canvas pancreas christmas asparagus thermos cosmos rhinoceros asbestos chaos ' +
    'biceps triceps forceps mars bus minibus omnibus trolleybus airbus campus cactus circus census chorus virus bonus lotus ' +
    'hibiscus octopus walrus citrus crocus discus focus abacus radius genius eucalyptus papyrus platypus status surplus ' +
    'plus nexus fetus lupus iris trellis tennis clematis pelvis penis portcullis chassis ibis yes molasses series species news'
  ).split(' '),
);
/** Singulars in -ie, whose plurals look like those of words in -y. */
const IN_IE = new Set(
  (
    'cookie movie brownie hoodie beanie smoothie zombie selfie onesie pixie genie calorie rookie veggie birdie budgie ' +
    'lingerie magpie menagerie prairie boogie bogie doggie necktie bowtie walkie talkie foodie newbie hippie groupie junkie ' +
    'cutie sweetie kiddie nightie pinkie softie aussie bookie patisserie rotisserie brasserie sortie indie goalie eyrie ' +
    'collie cowrie dearie freebie laddie lassie quickie scrunchie townie caddie potpie ' +
    'charcuterie'
  ).split(' '),
);
/**
 * Singulars in -che, -xe, -sse and -oe. Most other plurals in -ches, -xes, -sses and -oes come from singulars without
 * the e.
 */
const IN_E = new Set(
  (
    'ache headache toothache backache earache stomachache cache quiche niche avalanche cliche creche moustache mustache ' +
    'brioche pastiche attache gouache douche cartouche porsche psyche ruche axe pickaxe poleaxe deluxe annexe luxe mousse ' +
    'crevasse lacrosse posse trousse finesse impasse shoe horseshoe snowshoe overshoe toe tiptoe mistletoe hoe canoe oboe ' +
    'doe foe sloe floe roe aloe woe throe'
  ).split(' '),
);
/** Plurals in -ves of singulars in -f and -fe; most also match as the end of a longer noun. */
const IN_F =
  /^(?:.*(?:kni|shel|lea|loa|wol|hal|scar|hoo|thie|housewi|midwi)|wi|li|el|sel|oursel|themsel|yoursel|cal|dwar|whar)ves$/;
const IN_FE = /(?:kni|wi|^li)ves$/;

const IRREGULAR: ReadonlyMap<string, string> = new Map(
  (
    'children:child childrens:child grandchildren:grandchild schoolchildren:schoolchild stepchildren:stepchild ' +
    'godchildren:godchild feet:foot teeth:tooth geese:goose mice:mouse dormice:dormouse lice:louse oxen:ox people:person ' +
    'men:man mens:man women:woman womens:woman gentlemen:gentleman gentlemens:gentleman firemen:fireman snowmen:snowman ' +
    'policemen:policeman fishermen:fisherman workmen:workman salesmen:salesman businessmen:businessman ' +
    'craftsmen:craftsman postmen:postman handymen:handyman huntsmen:huntsman horsemen:horseman ' +
    'doormen:doorman pence:penny quizzes:quiz whizzes:whiz ' +
    'cacti:cactus fungi:fungus radii:radius octopi:octopus stimuli:stimulus alumni:alumnus nuclei:nucleus foci:focus ' +
    'indices:index matrices:matrix vertices:vertex appendices:appendix criteria:criterion phenomena:phenomenon ' +
    'analyses:analysis crises:crisis oases:oasis theses:thesis hypotheses:hypothesis parentheses:parenthesis ' +
    'antennae:antenna formulae:formula larvae:larva nebulae:nebula vertebrae:vertebra ' +
    'gateaux:gateau tableaux:tableau bureaux:bureau chateaux:chateau plateaux:plateau trousseaux:trousseau beaux:beau ' +
    'skis:ski jetskis:jetski taxis:taxi bikinis:bikini kiwis:kiwi saris:sari emojis:emoji zucchinis:zucchini ' +
    'martinis:martini safaris:safari minis:mini maxis:maxi midis:midi paninis:panini rabbis:rabbi salamis:salami ' +
    'tsunamis:tsunami yetis:yeti alibis:alibi chilis:chili khakis:khaki tankinis:tankini monokinis:monokini ' +
    'teriyakis:teriyaki mojitos:mojito pjs:pj ' +
    'menus:menu tutus:tutu gurus:guru emus:emu tofus:tofu haikus:haiku cpus:cpu gpus:gpu accus:accu ' +
    'tvs:tv cds:cd'
  )
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
);

export const singularOf = (word: string): string => {
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return irregular;
  const end = word.length;
  if (end < 4 || !word.endsWith('s') || IN_S.has(word)) return word;
  const before = word[end - 2]!;
  if (before === 's' || before === 'u' || before === 'i') return word;
  return before === 'e' ? withoutEs(word) : word.slice(0, -1);
};

const withoutEs = (word: string): string => {
  const short = word.slice(0, -2);
  const long = word.slice(0, -1);
  if (IN_S.has(short)) return short;
  if (IN_IE.has(long) || IN_E.has(long)) return long;
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : long;
  if (IN_F.test(word)) return `${word.slice(0, -3)}${IN_FE.test(word) ? 'fe' : 'f'}`;
  return ES.test(word) ? short : long;
};

/** Plurals in -es that lose both letters: after sounds that need a vowel before -s, and after -o. */
const ES = /(?:ss|x|ch|sh|zz|tz|[^aeiou]o)es$/;

const ARABIC = /^[\u0621-\u064a]+$/;
const ARTICLE = /^(?:[وبكف]?ال|لل)(?=.{3})/;
const ENDING = /(?<=.{2})(?:ها|ان|ات|ون|ين|يه|ية|ه|ة|ي)$/;
const LONG_VOWELS = /(?<=.)[اوي]/g;
const CONSONANTS_MIN = 3;

/**
 * Removes article, ending and long vowels, in which most Arabic plurals differ from the singular: هاتف and الهواتف
 * become هتف.
 */
const arabicStem = (word: string): string => {
  const bare = word.replace(ARTICLE, '').replace(ENDING, '');
  const consonants = bare.replace(LONG_VOWELS, '');
  return consonants.length >= CONSONANTS_MIN ? consonants : bare;
};

const LETTERS = /^[a-z]+$/;

const isArabicLetter = (code: number): boolean => code >= 0x0621 && code <= 0x064a;

export const stem = (word: string): string => {
  if (word !== '' && isArabicLetter(word.charCodeAt(0)) && ARABIC.test(word)) return arabicStem(word);
  return LETTERS.test(word) ? singularOf(word) : word;
};
