/** Longer texts in base58 take too long, since decoding is quadratic. */
const MAX_BASE58_CHARACTERS = 100
const MAX_BASE64_CHARACTERS = 8192
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** A leading 1 is a zero byte. */
function fromBase58(text: string): Buffer | undefined {
  let number = 0n
  for (const character of text) {
    const digit = ALPHABET.indexOf(character)
    if (digit < 0) return undefined
    number = number * 58n + BigInt(digit)
  }
  const hex = number === 0n ? '' : number.toString(16)
  const zeros = /^1*/.exec(text)?.[0].length ?? 0
  return Buffer.concat([Buffer.alloc(zeros), Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')])
}

/**
 * The bytes of a Multibase text in base58btc (`z`) or base64url without padding (`u`); undefined
 * for other texts and for those that are too long.
 */
export function fromMultibase(text: string): Buffer | undefined {
  const [base, value] = [text[0], text.slice(1)]
  if (base === 'z' && value.length < MAX_BASE58_CHARACTERS) return fromBase58(value)
  if (base === 'u' && value.length < MAX_BASE64_CHARACTERS && /^[\w-]*$/.test(value))
    return Buffer.from(value, 'base64url')
  return undefined
}
