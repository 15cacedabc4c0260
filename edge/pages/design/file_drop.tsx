// Takes files that the reader drops, pastes or picks.
import { useId, useRef, useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

interface FileDropProps {
  /** Names the files: “Pictures”. */
  readonly label: string;
  /** Types as an input takes them: `image/*,video/mp4`. */
  readonly accept: string;
  readonly multiple?: boolean;
  readonly advice?: string;
  readonly busy?: boolean;
  readonly take: (files: readonly File[]) => void;
}

export const FileDrop = ({ label, accept, multiple = false, advice, busy = false, take }: FileDropProps) => {
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const takeList = (files: FileList | null | undefined): void => {
    const all = [...(files ?? [])];
    if (all.length > 0) take(multiple ? all : all.slice(0, 1));
  };
  return (
    <section
      class={over ? 'file-drop over' : 'file-drop'}
      aria-label={label}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        takeList(event.dataTransfer?.files);
      }}
      onPaste={(event) => takeList(event.clipboardData?.files)}
    >
      <Icon name="picture" />
      <Button busy={busy} press={() => input.current?.click()}>
        {busy ? 'Uploading…' : `Choose ${label.toLowerCase()}`}
      </Button>
      <label class="unseen" for={id}>
        {label}
      </label>
      <input
        ref={input}
        id={id}
        class="unseen"
        type="file"
        tabIndex={-1}
        accept={accept}
        multiple={multiple}
        onChange={({ currentTarget }) => {
          takeList(currentTarget.files);
          // The same file may be picked again.
          currentTarget.value = '';
        }}
      />
      <small>{advice ?? 'Or drop them here.'}</small>
    </section>
  );
};
