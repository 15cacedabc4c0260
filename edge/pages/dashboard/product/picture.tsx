// The pictures of a product: uploaded by drag and drop, put in order by dragging, each with a text for those who do not see it.
import { useState } from 'preact/hooks';
import { problemOf, useCall, useCan } from '#edge/pages/dashboard/page.ts';
import { IconButton } from '#edge/pages/design/button.tsx';
import { Note, Sheet } from '#edge/pages/design/display.tsx';
import { DragList } from '#edge/pages/design/drag_list.tsx';
import { TextField } from '#edge/pages/design/field.tsx';
import { FileDrop } from '#edge/pages/design/file_drop.tsx';
import type { MediaItem } from '#proto/client/dashboard.ts';
import { smallPicture } from './picture_address.ts';

const ACCEPTED = 'image/jpeg,image/png,image/webp,image/avif,image/gif,video/mp4';

interface PicturesProps {
  readonly media: readonly MediaItem[];
  readonly change: (media: readonly MediaItem[]) => void;
}

interface UploadState {
  readonly busy: boolean;
  readonly refusals: readonly string[];
}

/** Uploads file after file; a file that is refused does not stop the others. */
const useUpload = ({ media, change }: PicturesProps) => {
  const call = useCall();
  const [state, setState] = useState<UploadState>({ busy: false, refusals: [] });
  const take = async (files: readonly File[]): Promise<void> => {
    setState({ busy: true, refusals: [] });
    const refusals: string[] = [];
    const added: MediaItem[] = [];
    for (const file of files) {
      try {
        const { media: stored } = await call((api) => api.media.upload({ file }));
        const { url, type, width, height } = stored;
        added.push({ id: stored.id, type, url, width, height, alt_text: null, position: null, poster_url: null });
      } catch (refused) {
        refusals.push(`${file.name}: ${problemOf(refused).message}`);
      }
    }
    if (added.length > 0) change([...media, ...added]);
    setState({ busy: false, refusals });
  };
  return { ...state, take };
};

const Picture = ({ item, index }: { readonly item: MediaItem; readonly index: number }) =>
  item.type === 'video' ? (
    // biome-ignore lint/a11y/useMediaCaption: the store's own film, of which the dashboard has no captions
    <video class="picture" src={item.url} controls preload="metadata" aria-label={item.alt_text ?? `Video ${index}`} />
  ) : (
    <img class="picture" src={smallPicture(item.url)} alt={item.alt_text ?? `Picture ${index}`} />
  );

export const Pictures = ({ media, change }: PicturesProps) => {
  const can = useCan();
  const { busy, refusals, take } = useUpload({ media, change });
  const isEditable = can('catalog:write');
  const place = (item: MediaItem): number => media.findIndex(({ url }) => url === item.url) + 1;
  return (
    <Sheet title="Pictures">
      {media.length > 0 && (
        <DragList
          label="Pictures in order"
          items={media}
          idOf={({ url }) => url}
          nameOf={(item) => item.alt_text || `picture ${place(item)}`}
          move={change}
        >
          {(item) => (
            <div class="picture-row">
              <Picture item={item} index={place(item)} />
              <TextField
                label={`Text for picture ${place(item)}`}
                value={item.alt_text ?? ''}
                change={(alt_text) => change(media.map((each) => (each === item ? { ...each, alt_text } : each)))}
              />
              {isEditable && (
                <IconButton
                  icon="remove"
                  label={`Remove picture ${place(item)}`}
                  press={() => change(media.filter((each) => each !== item))}
                />
              )}
            </div>
          )}
        </DragList>
      )}
      {isEditable && (
        <FileDrop
          label="Pictures"
          accept={ACCEPTED}
          multiple
          busy={busy}
          advice="JPEG, PNG, WebP, AVIF, GIF or MP4, up to 20 MB. The first picture is shown in lists."
          take={(files) => void take(files)}
        />
      )}
      {refusals.length > 0 && (
        <div role="alert">
          <Note tone="no">
            {refusals.map((refusal) => (
              <span key={refusal}>{refusal}</span>
            ))}
          </Note>
        </div>
      )}
    </Sheet>
  );
};
