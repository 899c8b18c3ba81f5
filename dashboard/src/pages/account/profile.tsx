import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Locale } from '../../../../src/domain/locale.ts'
import { send } from '../../api/client.ts'
import { refreshSession } from '../../api/session.ts'
import { showIn, showInBrowsers } from '../../app/locale.ts'
import { useSession } from '../../app/merchant.ts'
import { Card } from '../../parts/card.tsx'
import { Form } from '../../parts/form.tsx'
import { notifyDone } from '../../parts/notify.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'

/** Name and language. */
export function Profile() {
  const { t } = useTexts()
  const session = useSession()
  const [name, setName] = useState(session.name)
  const [locale, setLocale] = useState(session.locale)
  const save = useSubmit({
    send: (body: { name: string; locale: Locale | null }) => send('patch', '/account', { body }),
    async done() {
      await refreshSession()
      await (locale === null ? showInBrowsers() : showIn(locale))
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
      <Form of={save} onSubmit={() => save.submit({ name, locale })} label={t('common.save')}>
        <TextInput
          label={t('account.your_name')}
          autoComplete="name"
          maxLength={100}
          value={name}
          error={save.fieldError('name')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <NativeSelect
          label={t('account.language')}
          data={languages}
          value={locale ?? ''}
          onChange={({ currentTarget: { value } }) => setLocale(value === 'ar' || value === 'en' ? value : null)}
        />
      </Form>
    </Card>
  )
}
