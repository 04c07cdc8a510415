export { toEmojis, type EmojiRow } from './emoji.ts'
