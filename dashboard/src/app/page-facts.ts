/** What the service writes into the page itself. */

function meta(name: string): HTMLMetaElement | null {
  return document.querySelector(`meta[name="${name}"]`)
}

/** The nonce of this page for the few styles that Mantine writes while it runs (docs/decisions/0031-dashboard-app.md). */
export const style_nonce = meta('style-nonce')?.nonce ?? ''

/** Whether points and payments are only played. */
export const is_sandbox = meta('environment')?.content === 'sandbox'

/** Who runs the deployment; null where the settings do not say it. */
export const operator = {
  name: meta('operator')?.content ?? null,
  contact: meta('contact')?.content ?? null,
}

/** What becomes of mails: a sandbox shows them, a mail server sends them, or there are none. */
export const mails = mailsOf(meta('mails')?.content)

function mailsOf(content: string | undefined): 'shown' | 'sent' | 'none' {
  return content === 'shown' || content === 'sent' ? content : 'none'
}
