import { styleText } from 'node:util'

type Fields = Readonly<Record<string, unknown>>

const LEVELS: Readonly<Record<number, string>> = {
  20: styleText('gray', 'debug'),
  30: styleText('green', 'info '),
  40: styleText('yellow', 'warn '),
  50: styleText('red', 'error'),
  60: styleText('red', 'fatal'),
}
/** Members of a line that are shown elsewhere in it. */
const SHOWN = new Set(['level', 'time', 'msg', 'err'])

/** Control characters could move the cursor or change colours. */
const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, ' ')

const valueOf = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return plain(/[\s="]/.test(text) && typeof value === 'string' ? JSON.stringify(text) : text)
}

const fieldsOf = (line: Fields): string =>
  Object.entries(line)
    .filter(([name, value]) => !SHOWN.has(name) && value !== undefined)
    .map(([name, value]) => styleText('gray', `${name}=`) + valueOf(value))
    .join(' ')

/** An error below its line: the stack, or the message. */
function errorOf({ err }: Fields): string {
  if (typeof err !== 'object' || err === null) return ''
  const text = 'stack' in err ? err.stack : 'message' in err ? err.message : undefined
  return typeof text === 'string'
    ? `\n${text
        .split('\n')
        .map(line => `    ${plain(line)}`)
        .join('\n')}`
    : ''
}

/** A line of the log in words: time, level, message, fields. What is no such line is unchanged. */
export function formatLogLine(json: string): string {
  let line: Fields
  try {
    line = JSON.parse(json) as Fields
  } catch {
    return json
  }
  const time = new Date(Number(line['time'])).toTimeString().slice(0, 8)
  const level = LEVELS[Number(line['level'])] ?? String(line['level'])
  const parts = [styleText('gray', time), level, plain(String(line['msg'])), fieldsOf(line)]
  return `${parts.filter(part => part !== '').join(' ')}${errorOf(line)}\n`
}
