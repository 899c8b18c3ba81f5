/** Settings with which a production begins, behind a proxy. */
export const production = {
  NUQTA_ENVIRONMENT: 'production',
  NUQTA_SMS: 'taqnyat',
  NUQTA_SMS_KEY: 'token',
  NUQTA_SMS_SENDER: 'Nuqta',
  NUQTA_PUBLIC_URL: 'https://points.example.com',
  NUQTA_TRUST_PROXY: '10.0.0.7',
}
