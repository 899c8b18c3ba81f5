import { Button, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { send } from '../../api/client.ts'
import { ask } from '../../api/query.ts'
import { useProgram } from '../../app/program.ts'
import { Card, Facts } from '../../parts/card.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { Icon } from '../../parts/icon.tsx'
import { notifyDone } from '../../parts/notify.tsx'
import { Badge } from '../../parts/status-badge.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'

const path = '/programs/{programId}/terms'

/** The versions of the terms, and a form for the next one. */
export function Terms({ today }: { today: string }) {
  const { t, format } = useTexts()
  const { programId } = useProgram()
  const { data } = useQuery(ask(path, { params: { path: { programId } } }))
  const [opened, setOpened] = useState(false)
  const current = data?.current
  return (
    <Card
      title={t('program-settings.terms')}
      lead={t('program-settings.terms_lead')}
      actions={
        <Button variant="default" leftSection={<Icon name="plus" size={18} />} onClick={() => setOpened(true)}>
          {t('program-settings.terms_add')}
        </Button>
      }
    >
      {data === undefined || current === undefined ? null : (
        <Facts
          rows={(data.versions.length === 0 ? [{ version: current, begins_on: null }] : data.versions).map((one) => ({
            label: one.version,
            value: (
              <>
                {one.begins_on === null ? t('program-settings.terms_own') : format.date(one.begins_on)}{' '}
                {one.version === current ? <Badge tone="good">{t('program-settings.terms_current')}</Badge> : null}
              </>
            ),
          }))}
        />
      )}
      {opened && current !== undefined ? (
        <NewTerms current={current} today={today} onClose={() => setOpened(false)} />
      ) : null}
    </Card>
  )
}

interface Opened {
  readonly current: string
  readonly today: string
  readonly onClose: () => void
}

/** Begins with the text in force. */
function NewTerms({ current, today, onClose }: Opened) {
  const { t } = useTexts()
  const { programId } = useProgram()
  const params = { path: { programId, version: current } }
  const { data } = useQuery(ask(`${path}/{version}`, { params }))
  return (
    <Dialog opened onClose={onClose} size="xl" title={t('program-settings.terms_add')}>
      {data === undefined ? null : <TermsForm saved={data} today={today} onClose={onClose} />}
    </Dialog>
  )
}

function TermsForm({
  saved,
  today,
  onClose,
}: Omit<Opened, 'current'> & { saved: { text_en: string; text_ar: string } }) {
  const { t } = useTexts()
  const { programId } = useProgram()
  const [values, setValues] = useState({ ...saved, version: '', begins_on: today })
  const set = (changes: Partial<typeof values>) => setValues((before) => ({ ...before, ...changes }))
  const of = useSubmit({
    send: ({ version, begins_on, text_en, text_ar }: typeof values) =>
      send('post', path, { params: { path: { programId } }, body: { version, begins_on, text_en, text_ar } }),
    done() {
      notifyDone(t('common.saved'))
      onClose()
    },
    stale: [path],
  })
  return (
    <Form of={of} label={t('common.save')} disabled={values.version.trim() === ''} onSubmit={() => of.submit(values)}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={t('program-settings.terms_version')}
          description={t('program-settings.terms_version_hint')}
          maxLength={20}
          dir="ltr"
          value={values.version}
          error={of.fieldError('version')}
          onChange={(event) => set({ version: event.currentTarget.value })}
        />
        <TextInput
          type="date"
          label={t('program-settings.terms_day')}
          description={t('program-settings.terms_day_hint')}
          min={today}
          value={values.begins_on}
          error={of.fieldError('begins_on')}
          onChange={(event) => set({ begins_on: event.currentTarget.value })}
        />
      </SimpleGrid>
      {(['text_ar', 'text_en'] as const).map((name) => (
        <Textarea
          key={name}
          label={t(`program-settings.${name}`)}
          description={t('program-settings.text_hint')}
          rows={10}
          maxLength={20_000}
          dir={name === 'text_ar' ? 'rtl' : 'ltr'}
          value={values[name]}
          error={of.fieldError(name)}
          onChange={(event) => set({ [name]: event.currentTarget.value })}
        />
      ))}
    </Form>
  )
}
