// How protobuf encodes a field: the wire types that the frames of a link use, each read behind its field number.

export const VARINT = 0;
/** A length, then as many bytes: texts, bytes and nested messages. */
export const BYTES = 2;
