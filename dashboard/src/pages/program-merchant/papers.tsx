import { Button, Checkbox, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { send } from '../../api/client.ts'
import { AskToLeave } from '../../parts/ask-to-leave.tsx'
import { Card } from '../../parts/card.tsx'
import { FormError } from '../../parts/form.tsx'
import { notifyDone } from '../../parts/notify.tsx'
import { StaleDialog } from '../../parts/stale-dialog.tsx'
import { Time } from '../../parts/time.tsx'
import { type Edit, useDraft } from '../../parts/use-draft.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import classes from './merchant.module.css'
import { merchant_path, type Paper, type Reviewed, useParamsOfMerchant, useReviewed } from './merchant.ts'

/** What operators keep about the merchant, for each other. */
export function PapersAndNote() {
  return (
    <>
      <Papers />
      <Note />
    </>
  )
}

/** The papers that somebody has seen, and what was odd about them. */
function Papers() {
  const { t } = useTexts()
  const { documents } = useReviewed()
  const seen = documents.filter(({ seen_at }) => seen_at !== null).length
  return (
    <Card title={t('review.papers')} lead={t('review.papers_lead', { count: seen, all: documents.length })}>
      <ul className={classes.papers}>
        {documents.map((paper) => (
          <PaperRow key={paper.document} paper={paper} />
        ))}
      </ul>
    </Card>
  )
}

/** The note of a paper has no version: what it says stands for one. */
const notedOf = (note: string) => ({ note, version: note })

function PaperRow({ paper }: { paper: Paper }) {
  const { t } = useTexts()
  const params = useParamsOfMerchant()
  const draft = useDraft(notedOf(paper.note), writtenOf)
  const text = draft.values.note.trim()
  const isChanged = text !== draft.begun.note
  const save = useSubmit({
    // A tick leaves the note alone, which somebody else may have written meanwhile.
    send: (body: { seen: boolean; note?: string | null }) =>
      send('put', '/programs/{programId}/merchants/{merchantId}/documents/{document}', {
        params: { path: { ...params.path, document: paper.document } },
        body,
      }),
    done(_, { note }) {
      if (note !== undefined) draft.settle(notedOf(note ?? ''), { note: note ?? '' })
    },
    stale: [merchant_path],
  })
  const submit = (seen: boolean) => save.submit({ seen, ...(isChanged ? { note: text === '' ? null : text } : {}) })
  const { seen_at, seen_by } = paper
  const name = t(`review.paper_${paper.document}`)
  return (
    <li className={classes.paper}>
      <FormError of={save} />
      <Checkbox
        label={name}
        checked={seen_at !== null}
        disabled={save.pending}
        onChange={(event) => submit(event.currentTarget.checked)}
        {...(seen_at === null
          ? {}
          : {
              description: t.rich('review.seen', {
                when: <Time at={seen_at} style="date" />,
                by: <bdi>{seen_by ?? '—'}</bdi>,
              }),
            })}
      />
      <Group gap="sm" wrap="nowrap">
        <TextInput
          className={classes.grow}
          size="sm"
          aria-label={`${name}: ${t('review.paper_note')}`}
          placeholder={t('review.paper_note')}
          maxLength={500}
          value={draft.values.note}
          onChange={({ currentTarget: { value } }) => draft.set({ note: value })}
        />
        {isChanged ? (
          <Button size="sm" variant="default" loading={save.pending} onClick={() => submit(seen_at !== null)}>
            {t('common.save')}
          </Button>
        ) : null}
      </Group>
      <AskToLeave changed={isChanged} />
    </li>
  )
}

type Written = Pick<Reviewed['note'], 'note'>

const writtenOf = ({ note }: Written): Written => ({ note })

/** What operators tell each other about the merchant. */
function Note() {
  const { t } = useTexts()
  const params = useParamsOfMerchant()
  const { note } = useReviewed()
  const draft = useDraft(note, writtenOf)
  const text = draft.values.note.trim()
  const isChanged = text !== draft.begun.note
  const save = useSubmit({
    send: ({ version, values }: Edit<Written>) =>
      send('put', '/programs/{programId}/merchants/{merchantId}/note', {
        params,
        body: { version, ...(values.note.trim() === '' ? {} : { note: values.note.trim() }) },
      }),
    done(saved, sent) {
      draft.settle(saved.note, sent.values)
      notifyDone(t('common.saved'))
    },
    stale: [merchant_path],
  })
  return (
    <Card title={t('review.note')} lead={t('review.note_lead')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save.submit(draft.edit)
        }}
      >
        <Stack gap="sm">
          {save.failure?.current === undefined ? <FormError of={save} /> : null}
          <Textarea
            aria-label={t('review.note')}
            autosize
            minRows={3}
            maxRows={14}
            maxLength={4_000}
            value={draft.values.note}
            onChange={({ currentTarget: { value } }) => draft.set({ note: value })}
          />
          <Group justify="space-between">
            <span className={classes.soft}>
              {note.changed_at === null
                ? null
                : t.rich('review.note_by', {
                    when: <Time at={note.changed_at} style="ago" />,
                    by: <bdi>{note.changed_by ?? '—'}</bdi>,
                  })}
            </span>
            <Button type="submit" variant="default" disabled={!isChanged} loading={save.pending}>
              {t('common.save')}
            </Button>
          </Group>
        </Stack>
      </form>
      <StaleDialog
        of={save}
        mine={{ note: text }}
        fields={[{ name: 'note', label: t('review.note') }]}
        onKeep={({ version }) => save.submit({ version, values: draft.values })}
        onTake={(current) => draft.take({ ...note, ...current })}
      />
      <AskToLeave changed={isChanged} />
    </Card>
  )
}
