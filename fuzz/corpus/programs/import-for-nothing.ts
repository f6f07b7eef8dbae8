import{a}from'\00'
import type{}from''
enum E{C=""}