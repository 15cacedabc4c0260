// Mistakes in what an rpc says of its door: every one is named in a sentence, and nothing is generated.
import { afterAll, describe, expect, it } from 'vitest';
import { fixtureOf } from '#test/support/proto_fixture.ts';

const access = 'option (stoa.access) = {key: KEY_SECRET};';
const rpc = (name: string, http: string, more = access, request = 'Empty', response = 'Empty'): string =>
  `rpc ${name}(${request}) returns (${response}) { ${http ? `option (google.api.http) = {${http}};` : ''} ${more} }`;

const broken = fixtureOf({
  shop: `
    service Shop {
      ${rpc('NoPath', '', '')}
      ${rpc('StrayOption', '', access)}
      ${rpc('NoAccess', 'get: "/v1/a"', '')}
      ${rpc('First', 'get: "/v1/things/{id}"', access, 'Named')}
      ${rpc('Second', 'get: "/v1/things/{name}"', access, 'Named')}
      ${rpc('UnknownParam', 'get: "/v1/b/{absent}"')}
      ${rpc('OddPath', 'get: "/v1/c/{id}:cancel"', access, 'Named')}
      ${rpc('BodyOfGet', 'get: "/v1/d" body: "*"')}
      ${rpc('PartBody', 'post: "/v1/e" body: "name"', access, 'Named')}
      ${rpc('Bodiless', 'post: "/v1/f"', access, 'Named')}
      ${rpc('DeepQuery', 'get: "/v1/g"', access, 'Deep')}
      ${rpc('CachedWrite', 'post: "/v1/h" body: "*"', `${access} option (stoa.cache) = CACHE_CATALOG;`)}
      ${rpc('MarkedRead', 'get: "/v1/p"', `${access} option (stoa.reads) = true;`)}
      ${rpc('ReadingDelete', 'delete: "/v1/q"', `${access} option (stoa.reads) = true;`)}
      ${rpc('SignedRead', 'get: "/v1/i"', 'option (stoa.access) = {key: KEY_SECRET signed: true};')}
      ${rpc('NoEnvelope', 'get: "/v1/j"', `${access} option (stoa.envelope) = "thing";`)}
      ${rpc('OddStatus', 'get: "/v1/k"', `${access} option (stoa.status) = 404;`)}
      ${rpc('RawRead', 'get: "/v1/l"', `${access} option (stoa.raw_body) = "text/csv";`)}
      ${rpc('OddNetwork', 'get: "/v1/r"', access, 'Far')}
      ${rpc('Streamed', 'get: "/v1/m"', access, 'Empty', 'stream Empty')}
      ${rpc('Free', 'get: "/v1/o"', access, 'Empty', 'google.protobuf.Struct')}
    }
    service Inner {
      option (stoa.internal) = true;
      ${rpc('Open', 'get: "/v1/n"')}
    }
    message Empty {}
    message Named { string id = 1; string name = 2; }
    message Far { int32 network = 1 [(stoa.network) = true]; }
    message Deep { Named named = 1; }
  `,
});
afterAll(broken.remove);

describe('an rpc with a mistake', () => {
  it.each([
    'NoPath: has no google.api.http, and its service is not marked (stoa.internal).',
    'StrayOption: (stoa.access) means nothing without a path.',
    'NoAccess: has no (stoa.access): say who may call it.',
    'GET /v1/things/{name}: is taken twice, by Shop/First and Shop/Second.',
    'UnknownParam: {absent} is no field of Empty.',
    'OddPath: the path /v1/c/{id}:cancel cannot be routed.',
    'BodyOfGet: a GET has no body.',
    'PartBody: the body is "*" or nothing.',
    'Bodiless: has fields but no body: add body: "*", or mark them (stoa.query).',
    'DeepQuery: named cannot be written in a URL.',
    'CachedWrite: only a GET is cached.',
    'MarkedRead: a GET only reads anyhow.',
    'ReadingDelete: a DELETE cannot only read.',
    'SignedRead: a signed call needs a body to sign.',
    'NoEnvelope: the envelope "thing" is no field of Empty.',
    'OddStatus: 404 is not a status of success.',
    'RawRead: (stoa.raw_body) needs body: "*".',
    'OddNetwork: network is no text.',
    'Streamed: an endpoint takes one message of stoa.v1 and answers one.',
    'Free: an endpoint takes one message of stoa.v1 and answers one.',
    'Open: has a path, but its service is internal.',
  ])('%s', (sentence) => expect(broken.mistake).toContain(sentence));
});
