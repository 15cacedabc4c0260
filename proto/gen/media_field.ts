// Generated from stoa/v1/*.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.

/** Fields of requests that take the id of an uploaded file, by rpc. */
export const MEDIA_FIELDS: Readonly<Record<string, readonly string[]>> = {
  'Blog/CreatePost': ["cover_image"],
  'Blog/UpdatePost': ["cover_image"],
  'Lookbook/CreateLookbook': ["featured_image","video","images[].url"],
  'Lookbook/UpdateLookbook': ["featured_image","video","images[].url"],
  'Collection/CreateCollection': ["image","image_mobile","video"],
  'Collection/UpdateCollection': ["image","image_mobile","video"],
  'Catalog/CreateProduct': ["thumbnail_url","media[].url","media[].poster_url","variants[].thumbnail_url","variants[].media[].url","variants[].media[].poster_url"],
  'Catalog/UpdateProduct': ["thumbnail_url","media[].url","media[].poster_url","variants[].thumbnail_url","variants[].media[].url","variants[].media[].poster_url"],
  'Catalog/CreateVariant': ["thumbnail_url","media[].url","media[].poster_url"],
  'Catalog/UpdateVariant': ["thumbnail_url","media[].url","media[].poster_url"],
  'Store/UpdateStore': ["logo_url"],
};
