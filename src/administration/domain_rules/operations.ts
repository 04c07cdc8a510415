import { addAllow, listAllows, removeAllow, showAllow } from './allows.ts'
import { addBlock, changeBlock, listBlocks, removeBlock, showBlock } from './blocks.ts'

export const operations = [
  listBlocks,
  showBlock,
  addBlock,
  changeBlock,
  removeBlock,
  listAllows,
  showAllow,
  addAllow,
  removeAllow,
]
