// How protobuf marks what follows a field's number, as far as the link's frames use it.

export const VARINT = 0;
/** A length, then as many bytes: texts, bytes and nested messages. */
export const BYTES = 2;
