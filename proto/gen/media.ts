// Generated from stoa/v1/media.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Deleted, Pagination } from './shared.ts';

/** A narrower copy of a picture. */
export type MediaRendition = {
  /** 320, 800 or 1600 pixels, or the picture's own width where that is less. */
  width: number;
  url: string;
};

/** An uploaded picture or video. */
export type StoredMedia = {
  id: string;
  /** Public and unguessable; its content never changes. */
  url: string;
  type: "image" | "video";
  /** Pixels. */
  width: number;
  /** Pixels. */
  height: number;
  /** Media type of the file at `url`: `image/jpeg`, `image/png`, `image/webp`, `image/gif` or `video/mp4`. */
  content_type: string;
  /** Size of the file at `url`. */
  bytes: number;
  /** Name of the uploaded file. */
  name: string | null;
  /** WebP files, the narrowest first; a video has none. */
  renditions: readonly MediaRendition[];
  created_at: string;
};

export type MediaResponse = {
  media: StoredMedia;
};

export type ListMediaRequest = {
  limit?: number;
  cursor?: string;
  /** Both where left out. */
  type?: "image" | "video";
  /** Comma-separated names of a medium's fields to return. */
  fields?: string;
};

export type ListMediaResponse = {
  media: readonly StoredMedia[];
  pagination: Pagination;
};

export type UploadMediaRequest = {
  /** Name of the file, where the body is the file itself. A form names its own. */
  name?: string;
};

export type GetMediaRequest = {
  id: string;
  /** Comma-separated names of the medium's fields to return. */
  fields?: string;
};

export type DeleteMediaRequest = {
  id: string;
};

/** @internal */
export type FindAddressesRequest = {
  ids: readonly string[];
};

/** @internal */
export type MediaAddress = {
  id: string;
  url: string;
};

/** @internal */
export type FindAddressesResponse = {
  addresses: readonly MediaAddress[];
};

/** @internal */
export type FindFileRequest = {
  id: string;
  /** The least width of a rendition; absent: the file itself. */
  width?: number;
};

/** @internal */
export type FindFileResponse = {
  file: string;
  content_type: string;
  bytes: number;
};

/** @internal */
export type ReadFileRequest = {
  id: string;
  file: string;
  from: number;
  length: number;
};

/** @internal */
export type ReadFileResponse = Record<never, never>;

/**
 * Uploaded pictures and videos.
 * @internal
 */
export interface MediaRpcs {
  ListMedia: { request: ListMediaRequest; response: ListMediaResponse };
  UploadMedia: { request: UploadMediaRequest; response: MediaResponse };
  GetMedia: { request: GetMediaRequest; response: MediaResponse };
  DeleteMedia: { request: DeleteMediaRequest; response: Deleted };
}

/**
 * Files of media, as edges read them.
 * @internal
 */
export interface MediaDirectoryRpcs {
  FindAddresses: { request: FindAddressesRequest; response: FindAddressesResponse };
  FindFile: { request: FindFileRequest; response: FindFileResponse };
  ReadFile: { request: ReadFileRequest; response: ReadFileResponse };
}
