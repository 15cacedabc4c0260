// The import of products from a file: a dry run with its report, then the import itself, and earlier imports.
import { useState } from 'preact/hooks';
import {
  at,
  ListTable,
  ProblemNote,
  useCan,
  useFilters,
  useFormats,
  useList,
  useWrite,
} from '#edge/pages/dashboard/page.ts';
import { Button, LinkButton } from '#edge/pages/design/button.tsx';
import { Badge, Empty, Note, PageHead, Sheet } from '#edge/pages/design/display.tsx';
import { CheckField } from '#edge/pages/design/field.tsx';
import { FileDrop } from '#edge/pages/design/file_drop.tsx';
import type { IngestionJob } from '#proto/client/dashboard.ts';
import { type ImportFile, readImport } from './import_file.ts';
import { JobReport, JobWatch } from './import_report.tsx';

interface PickerProps {
  readonly file: ImportFile | null;
  readonly pick: (file: ImportFile) => void;
}

const FilePicker = ({ file, pick }: PickerProps) => {
  const [refusal, setRefusal] = useState('');
  const take = async ([first]: readonly File[]): Promise<void> => {
    if (!first) return;
    const read = await readImport(first);
    setRefusal(typeof read === 'string' ? read : '');
    if (typeof read !== 'string') pick(read);
  };
  return (
    <>
      <FileDrop
        label="A file of products"
        accept=".csv,.tsv,.json,.ndjson,.jsonl,text/csv,application/json"
        advice="CSV or JSON, up to 15 MB. A column external_id names each product; others are named like fields: name, price, stock, sku, category."
        take={(files) => void take(files)}
      />
      {refusal && (
        <div role="alert">
          <Note tone="no">{refusal}</Note>
        </div>
      )}
      {file && <p>Chosen: {file.name}</p>}
    </>
  );
};

interface ImportButtonProps {
  readonly job: IngestionJob;
  readonly busy: boolean;
  readonly press: () => void;
}

/** Stands beside the report of a dry run. */
const ImportButton = ({ job, busy, press }: ImportButtonProps) => {
  const rows = job.rows_total - job.rows_failed;
  return (
    <Button tone="primary" busy={busy} disabled={rows === 0} press={press}>
      {rows === 1 ? 'Import 1 product' : `Import ${rows} products`}
    </Button>
  );
};

const useJobColumns = () => {
  const { moment, number } = useFormats();
  return [
    { id: 'time', name: 'Started', cell: ({ created_at }: IngestionJob) => moment(created_at) },
    {
      id: 'status',
      name: 'Status',
      cell: ({ status, dry_run }: IngestionJob) => (
        <>
          <Badge tone={status === 'failed' ? 'no' : status === 'completed' ? 'go' : 'plain'}>{status}</Badge>{' '}
          {dry_run && <Badge>dry run</Badge>}
        </>
      ),
    },
    { id: 'rows', name: 'Rows', number: true, cell: ({ rows_total }: IngestionJob) => number(rows_total) },
    {
      id: 'failed',
      name: 'Refused',
      number: true,
      desk: true,
      cell: ({ rows_failed }: IngestionJob) => number(rows_failed),
    },
  ];
};

export const ImportScreen = () => {
  const can = useCan();
  const [query, changeQuery] = useFilters();
  const [file, setFile] = useState<ImportFile | null>(null);
  const [replaces, setReplaces] = useState(false);
  /** The dry run of this very file and choice. */
  const [rehearsal, setRehearsal] = useState<string | null>(null);
  const write = useWrite();
  const jobs = useList((api, page) => api.ingestion.jobs.list(page), 'jobs', []);
  const columns = useJobColumns();
  const shown = query.get('job');
  const push = async (dryRun: boolean): Promise<void> => {
    const mode = replaces ? 'replace' : 'upsert';
    const answer = await write.run((api) => api.ingestion.push({ ...file?.request, mode, dry_run: dryRun }));
    if (!answer) return;
    setRehearsal(dryRun ? answer.job.id : null);
    changeQuery({ job: answer.job.id });
  };
  return (
    <div class="stack products">
      <PageHead title="Import products" up={{ label: 'Products', to: at('products') }} />
      {can('ingestion:write') && (
        <Sheet>
          <FilePicker
            file={file}
            pick={(picked) => {
              setFile(picked);
              setRehearsal(null);
            }}
          />
          <CheckField
            label="Hide products that the file leaves out"
            advice="Only those that an import brought."
            value={replaces}
            change={(value) => {
              setReplaces(value);
              setRehearsal(null);
            }}
          />
          {file && (
            <div class="row">
              <Button tone={rehearsal ? 'plain' : 'primary'} busy={write.busy} press={() => void push(true)}>
                Check the file
              </Button>
              <span class="soft">Checking writes nothing.</span>
            </div>
          )}
          <ProblemNote problem={write.problem} />
        </Sheet>
      )}
      {shown && (
        <JobWatch key={shown} id={shown} done={jobs.refresh}>
          {(job) => (
            <JobReport
              job={job}
              action={
                job.status === 'completed' &&
                (job.id === rehearsal ? (
                  <ImportButton job={job} busy={write.busy} press={() => void push(false)} />
                ) : (
                  !job.dry_run && <LinkButton to={at('products')}>See the products</LinkButton>
                ))
              }
            />
          )}
        </JobWatch>
      )}
      <h2>Earlier imports</h2>
      <ListTable
        label="Earlier imports"
        list={jobs}
        columns={columns}
        idOf={({ id }) => id}
        to={({ id }) => at('products/import', { job: id })}
        empty={<Empty title="Nothing was imported yet" icon="file" />}
      />
    </div>
  );
};
