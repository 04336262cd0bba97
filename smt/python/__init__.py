"""Python in this room: functions that run, read from their syntax trees and followed on arbitrary values."""
