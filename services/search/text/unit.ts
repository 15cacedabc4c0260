// Units of measure that may follow a number.

const UNITS = new Map<string, string>(
  Object.entries({
    in: 'in inch inches zoll',
    ft: 'ft foot feet',
    mm: 'mm',
    cm: 'cm',
    m: 'm meter meters metre metres',
    km: 'km',
    g: 'g gram grams gr',
    kg: 'kg kilo kilos kilogram kilograms',
    mg: 'mg',
    lb: 'lb lbs pound pounds',
    oz: 'oz ounce ounces',
    ml: 'ml milliliter milliliters millilitre millilitres',
    cl: 'cl',
    l: 'l liter liters litre litres',
    kb: 'kb',
    mb: 'mb',
    gb: 'gb gig gigs gigabyte gigabytes go',
    tb: 'tb terabyte terabytes to',
    hz: 'hz',
    mhz: 'mhz',
    ghz: 'ghz',
    w: 'w watt watts',
    kw: 'kw',
    wh: 'wh',
    mah: 'mah',
    v: 'v volt volts',
    bit: 'bit bits',
    mp: 'mp megapixel megapixels',
    dpi: 'dpi',
    rpm: 'rpm',
    pc: 'pc pcs piece pieces',
    pack: 'pack packs pk',
    port: 'port ports',
  }).flatMap(([unit, spellings]) => spellings.split(' ').map((spelling) => [spelling, unit] as const)),
);

export const unitOf = (word: string): string | null => UNITS.get(word) ?? null;

export const isUnit = (word: string): boolean => UNITS.has(word);
