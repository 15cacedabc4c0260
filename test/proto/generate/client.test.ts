// The generated client of a small shop.
import { afterAll, describe, expect, it } from 'vitest';
import { type Fixture, fixtureOf } from '#test/support/proto_fixture.ts';

const SHOP = `
service CupList {
  // Cups on a shelf.
  rpc ListCups(ListCupsRequest) returns (ListCupsResponse) {
    option (google.api.http) = {get: "/v1/cups"};
    option (stoa.access) = {key: KEY_PUBLISHABLE};
    option (stoa.envelope) = "cups";
  }
  rpc BreakCup(BreakCupRequest) returns (Cup) {
    option (google.api.http) = {post: "/v1/cups/{id}/break" body: "*"};
    option (stoa.access) = {key: KEY_SECRET signed: true};
  }
}
service Cellar {
  option (stoa.internal) = true;
  rpc FindCup(FindCupRequest) returns (Cup);
}
message Cup { string id = 1; optional string colour = 2; }
message ListCupsRequest { string cursor = 1; string fields = 2; }
message ListCupsResponse { repeated Cup cups = 1; }
message BreakCupRequest {
  string id = 1;
  string trace_header = 2 [(stoa.header) = "x-trace"];
  string token = 3 [(stoa.header) = "X-Token"];
}
message FindCupRequest { string id = 1; }
`;

const fixtures: Fixture[] = [];
const generated = (proto: string): Fixture => {
  const fixture = fixtureOf({ shop: proto });
  fixtures.push(fixture);
  return fixture;
};
afterAll(() => {
  for (const { remove } of fixtures) remove();
});

describe('the client', () => {
  it('types a method for each endpoint, under the least key that opens it', () => {
    const { read, mistake } = generated(SHOP);
    expect(mistake).toBeNull();
    const shown = read('client/storefront.ts');
    expect(shown).toContain(
      'list<const F extends FieldNames<Cup> = undefined>(request?: ListCupsRequest & Choice<F>, options?: CallOptions): Listing<Chosen<ListCupsResponse, "cups", F>, "cups">;',
    );
    expect(shown).toContain('list: "GET /v1/cups - cups"');
    expect(shown).toContain('* Cups on a shelf.\n     *\n     * `GET /v1/cups`');
    expect(shown).not.toContain('break');
    const own = read('client/server.ts');
    expect(own).toContain('break(request: BreakCupRequest, options?: CallOptions): Promise<Cup>;');
    expect(own).toContain('break: "POST /v1/cups/{id}/break s - token=x-token"');
  });

  it('exports the types of requests and answers, and none of the internal ones', () => {
    const { read } = generated(SHOP);
    expect(read('client/message.ts')).not.toContain('FindCupRequest');
    const types = read('client/message.ts');
    expect(types).toContain("export type { Cup, ListCupsResponse } from '../shop.ts';");
    expect(types).toContain('export type ListCupsRequest = Omit<shop.ListCupsRequest, "fields">;');
    expect(types).toContain('export type BreakCupRequest = Omit<shop.BreakCupRequest, "trace_header">;');
  });

  it('refuses two endpoints of one name, and a name with two meanings', () => {
    const other = (operation: string, path: string) =>
      SHOP.replace(
        'rpc BreakCup',
        `rpc Other(BreakCupRequest) returns (Cup) {
          option (google.api.http) = {get: "${path}"};
          option (stoa.access) = {key: KEY_PUBLISHABLE};
          option (stoa.operation) = "${operation}";
        }
        rpc BreakCup`,
      );
    expect(generated(other('listCup', '/v1/cups/{id}')).mistake).toContain('the client has list twice');
    expect(generated(other('getCup', '/v1/cups/list/{id}')).mistake).toContain('list is a method and a resource');
  });
});
