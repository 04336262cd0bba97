"""Drawings as SVG and as text: timelines, plots, graphs, histories."""
