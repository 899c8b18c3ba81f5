/** أإآٱ ةى ؤئ, and ی ک of Persian keyboards; then the lengthening line and the vowel signs. */
const spelled = String.raw`\0623\0625\0622\0671\0629\0649\0624\0626\06CC\06A9\0640\064B\064C\064D\064E\064F\0650\0651\0652\0670`
/** اااا هي وي يك */
const same = String.raw`\0627\0627\0627\0627\0647\064A\0648\064A\064A\0643`

/**
 * The SQL of a text as searches for names compare it: small letters, those that Arabic spells in several ways as one, without
 * vowel signs. The index `customer_folded_name_idx` has it too, so a change needs a new index.
 */
export const folded = (text: string): string => `translate(lower(${text}), U&'${spelled}', U&'${same}')`
