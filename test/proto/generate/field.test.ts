// Mistakes in messages and their fields: every one is named in a sentence, and nothing is generated.
import { afterAll, describe, expect, it } from 'vitest';
import { fixtureOf } from '#test/support/proto_fixture.ts';

const broken = fixtureOf({
  shop: `
    import "google/protobuf/timestamp.proto";

    message Loop { repeated Loop inner = 1; }
    message Odd {
      string money = 1 [(stoa.money) = true];
      double format = 2 [(stoa.format) = "date"];
      string unknown_format = 3 [(stoa.format) = "colour"];
      string typed = 4 [(stoa.json_type) = "string[]"];
      double text_rules = 5 [(buf.validate.field).string.max_len = 3];
      int32 number_rules = 6 [(buf.validate.field).int64.gt = 3];
      string list_rules = 7 [(buf.validate.field).repeated.max_items = 3];
      string map_rules = 8 [(buf.validate.field).map.max_pairs = 3];
      string example = 9 [(stoa.example) = "plain"];
      string pattern = 10 [(buf.validate.field).string.pattern = "("];
      string two_formats = 11 [(stoa.format) = "date", (buf.validate.field).string.uuid = true];
      string constructor = 12;
      google.protobuf.Timestamp at = 13;
    }
    message Both { string a = 1; }
    message BothInput { string a = 1; }
    message Outer { message Inner {} }
    message OuterInner {}
    service Twice {
      option (stoa.internal) = true;
      rpc Take(Both) returns (Both);
    }
  `,
});
afterAll(broken.remove);

describe('a field or a message with a mistake', () => {
  it.each([
    'Loop: holds itself; such a message is not supported.',
    'Odd.money: money is a double.',
    'Odd.format: a format belongs to a string.',
    'Odd.unknown_format: "colour" is not one of date-time, date, currency, http-url, media-url, words, line.',
    'Odd.typed: json_type belongs to a Struct, ListValue or Value.',
    'Odd.text_rules: string rules do not fit this field.',
    'Odd.number_rules: int64 rules do not fit this field.',
    'Odd.list_rules: rules for a list stand on a field that is none.',
    'Odd.map_rules: rules for a map stand on a field that is none.',
    'Odd.example: the example plain is not JSON (a text needs its own quotes).',
    'Odd.pattern: the pattern ( cannot be read.',
    'Odd.two_formats: uuid and date cannot both be asked for.',
    'Odd.constructor: a field may not bear a name that every object has.',
    'Odd.at: google.protobuf.Timestamp has no JSON shape here.',
    'Both: is both read and shown, so BothInput is made from it; another message has that name.',
    'a second message is named OuterInner.',
  ])('%s', (sentence) => expect(broken.mistake).toContain(sentence));
});
