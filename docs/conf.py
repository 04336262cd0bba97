"""Configuration of the documentation as a site: `make site`. The pages are plain Markdown."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

project = "Remora"
author = "the Remora project"
html_title = "Remora"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["examples"]
suppress_warnings = ["misc.highlighting_failure"]  # console output is not always what a lexer takes for one

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4  # the anchors of the repository's own viewer

default_role = "code"  # docstrings write code between single backticks
napoleon_google_docstring = True
napoleon_numpy_docstring = False
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
add_module_names = False
python_use_unqualified_type_names = True

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["remora.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#0b5d6b",
        "color-brand-content": "#0b5d6b",
        "remora-added": "#116329",
        "remora-removed": "#82071e",
    },
    "dark_css_variables": {
        "color-brand-primary": "#6cc6d6",
        "color-brand-content": "#6cc6d6",
        "remora-added": "#7ee787",
        "remora-removed": "#ffa198",
    },
}
