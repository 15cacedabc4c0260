// One import, running or finished: its counts, and every refused row.
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { ProblemNote, useFormats, useRecord } from '#edge/pages/dashboard/page.ts';
import { Facts, Note, Sheet, Skeleton } from '#edge/pages/design/display.tsx';
import { Table } from '#edge/pages/design/table.tsx';
import type { IngestionJob } from '#proto/client/dashboard.ts';

const LOOK_AGAIN_MS = 500;

export const isFinished = ({ status }: IngestionJob): boolean => status === 'completed' || status === 'failed';

interface JobWatchProps {
  readonly id: string;
  /** Called once, when the job has finished. */
  readonly done: () => void;
  readonly children: (job: IngestionJob) => ComponentChildren;
}

/** Reads the job again until it has finished. */
export const JobWatch = ({ id, done, children }: JobWatchProps) => {
  const { value, problem, refresh } = useRecord(async (api) => (await api.ingestion.jobs.get({ id })).job, [id]);
  useEffect(() => {
    if (!value || isFinished(value)) return;
    const timer = setTimeout(refresh, LOOK_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [value]);
  const finished = value !== null && isFinished(value);
  useEffect(() => {
    if (finished) done();
  }, [finished]);
  if (problem) return <ProblemNote problem={problem} again={refresh} />;
  return value ? <>{children(value)}</> : <Skeleton lines={3} />;
};

const doneRows = ({ rows_created, rows_updated, rows_unchanged, rows_failed }: IngestionJob): number =>
  rows_created + rows_updated + rows_unchanged + rows_failed;

const titleOf = ({ status, dry_run }: IngestionJob): string => {
  if (status === 'failed') return dry_run ? 'The file could not be checked' : 'The import failed';
  if (status === 'completed') return dry_run ? 'What the import would do' : 'The import is finished';
  return dry_run ? 'Checking the file' : 'Importing';
};

export const JobReport = ({ job, action }: { readonly job: IngestionJob; readonly action: ComponentChildren }) => {
  const { number } = useFormats();
  const { errors, rows_deactivated } = job;
  return (
    <Sheet title={titleOf(job)} action={action}>
      {!isFinished(job) && (
        <progress
          aria-label="Progress"
          max={Math.max(1, job.rows_total)}
          value={job.rows_total === 0 ? undefined : doneRows(job)}
        />
      )}
      <div role="status">
        <Facts
          facts={[
            ['Rows', number(job.rows_total)],
            ['New', number(job.rows_created)],
            ['Changed', number(job.rows_updated)],
            ['Unchanged', number(job.rows_unchanged)],
            ...(rows_deactivated > 0 ? [['Hidden', number(rows_deactivated)] as const] : []),
            ['Refused', number(job.rows_failed)],
          ]}
        />
      </div>
      {job.dry_run && isFinished(job) && <Note>This was a dry run: nothing was written.</Note>}
      {errors.length > 0 && (
        <Table
          label="Refused rows"
          rows={errors}
          idOf={({ row, message }) => `${row} ${message}`}
          columns={[
            { id: 'row', name: 'Row', cell: ({ row }) => (row === null ? 'file' : number(row + 1)) },
            { id: 'id', name: 'external_id', cell: ({ external_id }) => external_id ?? '' },
            { id: 'field', name: 'Field', cell: ({ param }) => param ?? '', desk: true },
            { id: 'message', name: 'What is wrong', cell: ({ message }) => message },
          ]}
        />
      )}
      {job.rows_failed > errors.length && (
        <p class="soft">
          The first {number(errors.length)} of {number(job.rows_failed)} are shown.
        </p>
      )}
    </Sheet>
  );
};
