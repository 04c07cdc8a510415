/** Custom emojis: in texts, in the picker, and how administrators change them. */
export { toEmojis, type EmojiRow } from './emoji.ts'
export { UnsuitableArchive } from './archive.ts'
export { copyEmojis } from './copy.ts'
export { packEmojis } from './export.ts'
export { importEmojis, type ImportedEmojis } from './import.ts'
export { EMOJI_LIMIT_BYTES, UnsuitablePicture } from './picture.ts'
export {
  changeEmojis,
  deleteEmojis,
  featureEmoji,
  findEmojiId,
  isShortcode,
  listEmojis,
  saveEmoji,
  type StoredEmoji,
} from './write.ts'
