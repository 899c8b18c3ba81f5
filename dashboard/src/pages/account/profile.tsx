import { NativeSelect, TextInput } from '@mantine/core'
import { isLocale } from '../../../../src/domain/locale.ts'
import { send } from '../../api/client.ts'
import { refreshSession, type Session } from '../../api/session.ts'
import { showIn, showInBrowsers } from '../../app/locale.ts'
import { useSession } from '../../app/merchant.ts'
import { AskToLeave } from '../../parts/ask-to-leave.tsx'
import { Card } from '../../parts/card.tsx'
import { Form } from '../../parts/form.tsx'
import { notifyDone } from '../../parts/notify.tsx'
import { useDraft } from '../../parts/use-draft.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'

type Values = Pick<Session, 'name' | 'locale'>

const valuesOf = ({ name, locale }: Values): Values => ({ name, locale })

/** A session has no version: what it says of the person stands for one. */
const savedOf = (session: Session) => ({ ...session, version: JSON.stringify(valuesOf(session)) })

/** Name and language. */
export function Profile() {
  const { t } = useTexts()
  const session = useSession()
  const draft = useDraft(savedOf(session), valuesOf)
  const { name, locale } = draft.values
  const save = useSubmit({
    send: (body: Values) => send('patch', '/account', { body }),
    async done(_, sent) {
      draft.settle(savedOf(await refreshSession()), sent)
      await (sent.locale === null ? showInBrowsers() : showIn(sent.locale))
      notifyDone(t('common.saved'))
    },
  })
  const languages = [
    { value: '', label: t('account.language_browser') },
    { value: 'ar', label: 'العربية' },
    { value: 'en', label: 'English' },
  ]
  return (
    <Card title={t('account.profile')}>
      <Form of={save} onSubmit={() => save.submit(draft.values)} label={t('common.save')}>
        <TextInput
          label={t('account.your_name')}
          autoComplete="name"
          maxLength={100}
          value={name}
          error={save.fieldError('name')}
          onChange={(event) => draft.set({ name: event.currentTarget.value })}
        />
        <NativeSelect
          label={t('account.language')}
          data={languages}
          value={locale ?? ''}
          onChange={({ currentTarget: { value } }) => draft.set({ locale: isLocale(value) ? value : null })}
        />
      </Form>
      <AskToLeave changed={draft.changed} />
    </Card>
  )
}
