import { showStyle } from './style.ts'

export const operations = [showStyle]
